// solution: the work stands inside the guard
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = a[i] + 10;
}
