// clean: the program looks, and knows
// options: --only=api
#include <cstdio>
__global__ void k() { __trap(); }
int main() {
  k<<<1, 1>>>();
  if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
}
