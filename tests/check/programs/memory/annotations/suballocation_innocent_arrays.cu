// Arrays that come, grow, go, and come again, in the order in which the program says so although nothing waits in between.
// clean
#include "annotations.h"
__global__ void fill(int* x) { x[threadIdx.x] = 1; }
__global__ void add(const int* x, int* y) { y[threadIdx.x] += x[threadIdx.x]; }
int main() {
  int* memory;
  cudaMalloc(&memory, 4096);
  nvtxMemHeapHandle_t heap = pool(memory, 4096);
  int* x = suballocate(heap, memory + 8, 128);
  int* y = suballocate(heap, memory + 40, 128);
  fill<<<1, 32>>>(x);
  cudaMemset(y, 0, 128);
  add<<<1, 32>>>(x, y);
  give_back(x);
  resize(y, 256);
  fill<<<1, 64>>>(y);
  give_back(y);
  int* z = suballocate(heap, memory, 1024);
  fill<<<1, 256>>>(z);
  cudaDeviceSynchronize();
  cudaFree(memory);
}
