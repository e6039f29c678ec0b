// A heap that has a layout is no pool: all of it may be touched.
// clean
#include "annotations.h"
__global__ void fill(int* x) { x[threadIdx.x] = 1; }
int main() {
  int* memory;
  cudaMalloc(&memory, 1024);
  nvtxMemHeapHandle_t heap = pool(memory, 1024, NVTX_MEM_HEAP_USAGE_TYPE_LAYOUT);
  suballocate(heap, memory, 128);
  fill<<<1, 256>>>(memory);
  cudaDeviceSynchronize();
  cudaFree(memory);
}
