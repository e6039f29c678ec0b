// Warps that run side by side write one row: each thread's word is another warp's, too.
#include <cuda_runtime.h>

__global__ void rows(int* out) {
  out[threadIdx.x % 32] = threadIdx.x;  // finds C0201
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  rows<<<1, 256>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
