// verdict: barrier
// why: no barrier, which works only as long as each thread uses its own place
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;

  if (i < n) tile[t] = a[i];
  if (i < n) out[i] = tile[t] + 10;
}
