// The bins are counted with atomics, and read plainly behind a barrier: it does not wait for other blocks.
#include <cuda_runtime.h>

__global__ void count(const unsigned* values, unsigned* bins, unsigned* copy, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i] & 63], 1u);  // finds C0206
  __syncthreads();
  if (threadIdx.x < 64) copy[blockIdx.x * 64 + threadIdx.x] = bins[threadIdx.x];  // finds C0206
}

int main() {
  constexpr int kThreads = 1024;
  unsigned *values = nullptr, *bins = nullptr, *copy = nullptr;
  cudaMalloc(&values, kThreads * sizeof(unsigned));
  cudaMalloc(&bins, 64 * sizeof(unsigned));
  cudaMalloc(&copy, kThreads / 128 * 64 * sizeof(unsigned));
  cudaMemset(values, 0, kThreads * sizeof(unsigned));
  cudaMemset(bins, 0, 64 * sizeof(unsigned));
  count<<<kThreads / 128, 128>>>(values, bins, copy, kThreads);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(bins);
  cudaFree(copy);
  return 0;
}
