// problem: puzzles/shared
// verdict: accepted
// says: of 4096
// An array of exactly the bytes that the budget allows.
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tile[threadIdx.x] = a[i];
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x] + 10;
}
