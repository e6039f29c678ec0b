// verdict: uninitialised
// why: adds to what is in the output, which was never written
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] += a[i] + 10;
}
