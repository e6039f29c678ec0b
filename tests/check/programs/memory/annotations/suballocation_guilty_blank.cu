// What was written there before, for another array, is not this one's.
#include "annotations.h"
__global__ void fill(int* x) { x[threadIdx.x] = 1; }
__global__ void copy(const int* x, int* out) { out[threadIdx.x] = x[threadIdx.x] + 1; }  // finds C0301
int main() {
  int *memory, *out;
  cudaMalloc(&memory, 1024);
  cudaMalloc(&out, 128);
  nvtxMemHeapHandle_t heap = pool(memory, 1024);
  int* x = suballocate(heap, memory, 128);
  fill<<<1, 32>>>(x);
  give_back(x);
  int* y = suballocate(heap, memory, 128);
  copy<<<1, 32>>>(y, out);
  cudaDeviceSynchronize();
  cudaFree(memory);
  cudaFree(out);
}
