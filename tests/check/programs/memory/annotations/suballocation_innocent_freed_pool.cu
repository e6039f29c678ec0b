// Memory that was a pool is ordinary memory for its next owner, and words that the program declares written are.
// clean
#include "annotations.h"
__global__ void add(int* x) { x[threadIdx.x] += 1; }
int main() {
  for (int round = 0; round < 3; ++round) {
    int* memory;
    cudaMalloc(&memory, 1024);
    if (round == 1) {
      nvtxMemHeapHandle_t heap = pool(memory, 1024);
      add<<<1, 32>>>((mark_written(suballocate(heap, memory, 128), 128), memory));
    } else {
      cudaMemset(memory, 0, 1024);
      add<<<1, 256>>>(memory);
    }
    cudaDeviceSynchronize();
    cudaFree(memory);
  }
}
