// out[i] = a[i] + 10 for i < n. The launch: one block of at least n threads.
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x;
  // Your code.
}
