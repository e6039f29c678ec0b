// verdict: out-of-bounds
// why: the guard knows the first example only
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i < 4) out[i] = a[i] + 10;
}
