// verdict: uninitialised
// why: reads the place of the next thread, and the last one finds nothing there
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;

  if (i < n) tile[t] = a[i];
  __syncthreads();
  if (i < n) out[i] = tile[(t + 1) % 128] + 10;
}
