// verdict: out-of-bounds
// why: the guard lets one thread too many through
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i <= n) out[i] = a[i] + 10;
}
