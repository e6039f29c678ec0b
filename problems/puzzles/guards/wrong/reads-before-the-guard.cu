// verdict: out-of-bounds
// why: the guard stands before the write only; reading past the end is as wrong
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x;
  float x = a[i];
  if (i < n) out[i] = x + 10;
}
