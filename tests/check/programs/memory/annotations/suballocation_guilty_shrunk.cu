// The array is made smaller while a kernel still goes over all of it.
#include "annotations.h"
__global__ void clear(int* x) { x[threadIdx.x] = 0; }  // finds C0107
int main() {
  char* memory;
  cudaMalloc(&memory, 1024);
  nvtxMemHeapHandle_t heap = pool(memory, 1024);
  int* x = suballocate(heap, (int*)(memory + 128), 64 * sizeof(int));
  clear<<<1, 64>>>(x);
  resize(x, 32 * sizeof(int));
  clear<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(memory);
}
