// A copy in another stream reads what a kernel counts in.
#include <cuda_runtime.h>

__global__ void count(const unsigned* values, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i] & 63], 1u);  // finds C0204
}

int main() {
  constexpr int kThreads = 1024;
  unsigned *values = nullptr, *bins = nullptr, got[64];
  cudaMalloc(&values, kThreads * sizeof(unsigned));
  cudaMalloc(&bins, sizeof got);
  cudaMemset(values, 0, kThreads * sizeof(unsigned));
  cudaMemset(bins, 0, sizeof got);
  cudaStream_t one, other;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  count<<<kThreads / 128, 128, 0, one>>>(values, bins, kThreads);
  cudaMemcpyAsync(got, bins, sizeof got, cudaMemcpyDeviceToHost, other);  // finds C0204
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(bins);
  return 0;
}
