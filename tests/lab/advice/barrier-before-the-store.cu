// problem: puzzles/shared
// verdict: barrier
// says: no barrier stands between the store to `tile` in line 11 and the load in line 12
// says: the barrier in line 10 stands in front of the store
// not: budget
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  __syncthreads();
  if (i < n) tile[t] = a[i];
  if (i < n) out[i] = tile[t] + 10;
}
