// Nothing but atomics, but some of them reach the threads of one block alone.
#include <cuda_runtime.h>

__global__ void count(const unsigned* values, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (values[i] % 2 == 0)
    atomicAdd(&bins[0], 1u);  // finds C0207
  else
    atomicAdd_block(&bins[0], 1u);  // finds C0207
}

int main() {
  constexpr int kThreads = 1024;
  unsigned *values = nullptr, *bins = nullptr, host[kThreads];
  for (int i = 0; i < kThreads; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&bins, 64 * sizeof(unsigned));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, 64 * sizeof(unsigned));
  count<<<kThreads / 128, 128>>>(values, bins, kThreads);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(bins);
  return 0;
}
