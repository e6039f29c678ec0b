// Nothing of the pool has been given out; that all of it was set to zero changes nothing.
#include "annotations.h"
__global__ void sum(const int* x, int* out) {
  int s = 0;
  for (int i = 0; i < 8; ++i) s += x[i];  // finds C0107
  *out = s;
}
int main() {
  int *memory, *out;
  cudaMalloc(&memory, 1024);
  cudaMalloc(&out, sizeof(int));
  pool(memory, 1024);
  cudaMemset(memory, 0, 1024);
  sum<<<1, 1>>>(memory, out);
  cudaDeviceSynchronize();
  cudaFree(memory);
  cudaFree(out);
}
