// verdict: over-budget
// why: no barrier, which goes well as long as everybody keeps to a place of his own
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;

  if (i < n) tile[t] = a[i];
  if (i < n) out[i] = tile[t] + 10;
}
