// Code that nvcc compiles with a warning and C++17 has removed: both compilers must accept it.
#include <cstdio>

#define FORMAT "d"

extern "C"__global__ void twice(int* out, float x) {
  register int two = 2;
  int values[] = {x, two};
  *out = values[0] * values[1];
}

int main() {
  register int* out = nullptr;
  int result = 0;
  cudaMalloc(&out, sizeof *out);
  twice<<<1, 1>>>(out, 21.5f);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  unsigned char low[] = {result};
  printf("%"FORMAT" %"FORMAT"\n", result, low[0]);
}
