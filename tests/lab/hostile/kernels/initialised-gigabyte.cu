// verdict: does-not-compile
// A gigabyte of numbers that the compiler would have to write as text.
__device__ volatile int many[1 << 28] = {1};
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  if (many[i] == 12345) return;
  out[i] = a[i] + 10;
}
