// verdict: does-not-compile
// Asks Clang to crash. Its crash report is a copy of the source in the folder for temporary files.
#pragma clang __debug crash
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
