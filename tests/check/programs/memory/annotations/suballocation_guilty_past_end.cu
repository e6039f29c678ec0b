// The second array of a pool is written one element past its end, where no suballocation is.
#include "annotations.h"
__global__ void fill(float* x, int n) {
  int i = threadIdx.x;
  if (i <= n) x[i] = 1;  // finds C0107
}
int main() {
  char* memory;
  cudaMalloc(&memory, 4096);
  nvtxMemHeapHandle_t heap = pool(memory, 4096);
  float* a = suballocate(heap, (float*)memory, 100 * sizeof(float));
  float* b = suballocate(heap, (float*)(memory + 512), 100 * sizeof(float));
  fill<<<1, 128>>>(a, 99);
  fill<<<1, 128>>>(b, 100);
  cudaDeviceSynchronize();
  cudaFree(memory);
}
