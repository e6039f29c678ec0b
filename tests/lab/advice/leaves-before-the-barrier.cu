// problem: puzzles/shared
// verdict: barrier
// says: not all threads reach the barrier
// not: budget
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = a[i];
  __syncthreads();
  out[i] = tile[threadIdx.x] + 10;
}
