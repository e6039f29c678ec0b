// verdict: barrier
// why: either branch has a barrier of its own, so threads of one block wait at different ones
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;

  if (i < n) {
    tile[t] = a[i];
    __syncthreads();
    out[i] = tile[t] + 10;
  } else {
    __syncthreads();
  }
}
