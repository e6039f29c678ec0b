// verdict: crashed
// Ends its own kernel.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  __trap();
}
