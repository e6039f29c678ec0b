// problem: puzzles/shared
// verdict: over-budget
// says: shared reads in all: 0, at least
// not: no barrier
// not: stands in front
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i < n ? a[i] : 0;
  tile[threadIdx.x] = x;
  __syncthreads();
  if (i < n) out[i] = x + 10;
}
