// Atomics of 64 bits through one parameter, a plain store of one byte within such a word through another one.
#include <cuda_runtime.h>

__global__ void count(const unsigned* values, unsigned long long* bins, unsigned char* byte, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i] & 63], 1ull);  // finds C0206
  if (i == n - 1) byte[13] = 1;                       // finds C0206
}

int main() {
  constexpr int kThreads = 1024;
  unsigned *values = nullptr, host[kThreads];
  unsigned long long* bins = nullptr;
  for (int i = 0; i < kThreads; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&bins, 64 * sizeof *bins);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, 64 * sizeof *bins);
  count<<<kThreads / 128, 128>>>(values, bins, reinterpret_cast<unsigned char*>(bins), kThreads);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(bins);
  return 0;
}
