// What one parameter is used for with atomics alone, another parameter leads to as well, and is used for plain stores.
#include <cuda_runtime.h>

__global__ void count(const unsigned* values, unsigned* bins, unsigned* first, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i] & 63], 1u);  // finds C0206
  if (threadIdx.x == 0) *first = 0;                 // finds C0206
}

int main() {
  constexpr int kThreads = 1024;
  unsigned *values = nullptr, *bins = nullptr;
  cudaMalloc(&values, kThreads * sizeof(unsigned));
  cudaMalloc(&bins, 64 * sizeof(unsigned));
  cudaMemset(values, 0, kThreads * sizeof(unsigned));
  cudaMemset(bins, 0, 64 * sizeof(unsigned));
  count<<<kThreads / 128, 128>>>(values, bins, bins, kThreads);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(bins);
  return 0;
}
