// verdict: out-of-bounds
// why: no guard: the threads beyond the last element read and write behind the arrays
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
