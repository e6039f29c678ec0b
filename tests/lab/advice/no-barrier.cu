// problem: puzzles/shared
// verdict: barrier
// says: no barrier stands between the store to `tile` in line 8 and the load in line 9
// not: budget
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tile[threadIdx.x] = a[i];
  if (i < n) out[i] = tile[threadIdx.x] + 10;
}
