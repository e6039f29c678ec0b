// problem: puzzles/shared
// verdict: barrier
// says: no barrier stands between the store to `tile` in line 13 and the load in line 14
// says: the barrier in line 16 stands behind the load
// says: if (i < n) x = tile[t];
// not: budget
// not: shared reads in all: 0, at least
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float x = 0;
  if (i < n) tile[t] = a[i];
  if (i < n) x = tile[t];

  __syncthreads();
  if (i < n) out[i] = x + 10;
}
