// Written as the instruction, in a function that is called behind a barrier.
#include <cstdio>
__device__ void expect(bool holds) {
  if (!holds) asm volatile("trap;");  // finds C0702
}
__global__ void k(int* x) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = i;
  __syncthreads();
  expect(s[63 - i] == 63 - i && i != 40);
  x[i] = s[i];
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  k<<<1, 64>>>(x);
  if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
  cudaFree(x);
}
