// options: --compiler=nvcc
// A kind of operation that the kernel does not know.
#include <cstdio>
__global__ void apply(const int* kinds, int* x) {
  int i = threadIdx.x;
  switch (kinds[i]) {
    case 0: x[i] += 1; break;
    case 1: x[i] -= 1; break;
    default: __trap();  // finds C0702
  }
}
int main() {
  int *kinds, *x, host[32];
  for (int i = 0; i < 32; ++i) host[i] = i % 3;
  cudaMalloc(&kinds, 128);
  cudaMalloc(&x, 128);
  cudaMemcpy(kinds, host, 128, cudaMemcpyHostToDevice);
  cudaMemset(x, 0, 128);
  apply<<<1, 32>>>(kinds, x);
  if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
  cudaFree(kinds);
  cudaFree(x);
}
