// verdict: unwritten
// why: the guard is one too strict
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i < n - 1) out[i] = a[i] + 10;
}
