// One array goes back to the pool; so do all when it is reset, and when it ends.
#include "annotations.h"
__global__ void first(int* x) { x[threadIdx.x] = 1; }   // finds C0103
__global__ void second(int* x) { x[threadIdx.x] = 2; }  // finds C0103
__global__ void third(int* x) { x[threadIdx.x] = 3; }   // finds C0103
int main() {
  int* memory;
  cudaMalloc(&memory, 1024);
  nvtxMemHeapHandle_t heap = pool(memory, 1024);
  int* x = suballocate(heap, memory + 32, 128);
  give_back(x);
  first<<<1, 32>>>(x);
  suballocate(heap, x, 128);
  nvtxMemHeapReset(domain(), heap);
  second<<<1, 32>>>(x);
  suballocate(heap, x, 128);
  nvtxMemHeapUnregister(domain(), heap);
  third<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(memory);
}
