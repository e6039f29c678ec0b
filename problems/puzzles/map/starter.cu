// out[i] = a[i] + 10. The launch: one block, one thread per element.
extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  // Your code: one line.
}
