// problem: puzzles/shared
// verdict: barrier
// says: no barrier stands between the store to `tile` in line 9 and the load in line 10
// says: the barrier in line 11 stands behind the load
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  if (i < n) tile[t] = a[i];
  float x = tile[t];
  __syncthreads();
  if (i < n) out[i] = x + 10;
}
