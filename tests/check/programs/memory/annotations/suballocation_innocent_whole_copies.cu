// The host moves pools as a whole; what it copies from between the arrays does not matter.
// clean
#include "annotations.h"
__global__ void fill(int* x) { x[threadIdx.x] = 1; }
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
int main() {
  int *memory, *other;
  cudaMalloc(&memory, 1024);
  cudaMalloc(&other, 1024);
  nvtxMemHeapHandle_t heap = pool(memory, 1024);
  int* x = suballocate(heap, memory + 32, 128);
  fill<<<1, 32>>>(x);
  cudaMemcpy(other, memory, 1024, cudaMemcpyDeviceToDevice);
  twice<<<1, 256>>>(other);
  cudaMemcpy(memory, other, 1024, cudaMemcpyDeviceToDevice);
  twice<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(memory);
  cudaFree(other);
}
