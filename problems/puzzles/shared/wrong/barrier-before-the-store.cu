// verdict: barrier
// why: the barrier stands before the store, where it orders nothing
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;

  __syncthreads();
  if (i < n) tile[t] = a[i];
  if (i < n) out[i] = tile[t] + 10;
}
