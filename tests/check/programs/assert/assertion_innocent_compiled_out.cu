// clean: with NDEBUG there is no assertion
#define NDEBUG
#include <cassert>
__global__ void k(int* x, int n) {
  assert(n == 1);
  x[threadIdx.x] = n;
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x, 2);
  cudaDeviceSynchronize();
  cudaFree(x);
}
