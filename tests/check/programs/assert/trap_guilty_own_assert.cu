// A program's own assertion.
#include <cstdio>
#define KERNEL_ASSERT(condition) \
  if (!(condition)) {            \
    printf("%s\n", #condition);  \
    __trap();                    \
  }
__global__ void k(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  KERNEL_ASSERT(i < n);  // finds C0702
  x[i] = i;
}
int main() {
  int* x;
  cudaMalloc(&x, 400);
  k<<<4, 32>>>(x, 100);
  if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
  cudaFree(x);
}
