// verdict: barrier
// why: the barrier stands behind the load, where it orders nothing
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;

  if (i < n) tile[t] = a[i];
  float x = tile[t];
  __syncthreads();
  if (i < n) out[i] = x + 10;
}
