// The host prints an element through the pointer that cudaMalloc returned.
// says: host code reads byte 12 of device memory
// says: copy the data with cudaMemcpy before the host uses it
// says: by cudaMalloc at
#include <cstdio>

__global__ void k(int* x) { x[threadIdx.x] = 1; }

int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  std::printf("%d\n", x[3]);  // finds R0301
}
