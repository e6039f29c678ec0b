// verdict: does-not-compile
// within: 20
// Asks Clang to overflow its stack.
#pragma clang __debug overflow_stack
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
