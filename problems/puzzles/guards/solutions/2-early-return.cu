// solution: threads without work leave at once
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  out[i] = a[i] + 10;
}
