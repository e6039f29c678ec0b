// Plain reads and writes are allowed, atomic operations are not; and in the second array, of a pool, nothing is.
#include "annotations.h"
__global__ void count(unsigned* n) {
  unsigned before = *n;
  *n = before + 1;
  atomicAdd(n, 1u);  // finds C0117
}
__global__ void clear(int* x) { x[threadIdx.x] = 0; }  // finds C0117
int main() {
  unsigned* n;
  int* memory;
  cudaMalloc(&n, sizeof *n);
  cudaMalloc(&memory, 1024);
  cudaMemset(n, 0, sizeof *n);
  permit(n, NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ | NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE);
  count<<<1, 1>>>(n);
  nvtxMemHeapHandle_t heap = pool(memory, 1024);
  int* x = suballocate(heap, memory + 32, 128);
  permit(x, NVTX_MEM_PERMISSIONS_REGION_FLAGS_NONE);
  clear<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(n);
  cudaFree(memory);
}
