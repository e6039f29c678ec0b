// clean: one call's answer is enough
// options: --only=api
#include <cstdio>
__global__ void k() { __trap(); }
int main() {
  k<<<1, 1>>>();
  cudaDeviceSynchronize();
  if (cudaError_t e = cudaGetLastError()) std::printf("%s\n", cudaGetErrorName(e));
}
