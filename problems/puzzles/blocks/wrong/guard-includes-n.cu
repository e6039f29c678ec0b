// verdict: out-of-bounds
// why: the guard lets one thread too many through
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i <= n) out[i] = a[i] + 10;
}
