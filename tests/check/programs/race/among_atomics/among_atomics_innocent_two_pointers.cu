// Atomics of both widths, through two parameters that lead to one allocation; the sums come out right.
// clean
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void count(const unsigned* values, unsigned* bins, unsigned long long* wide, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&bins[values[i] & 31], 1u);
  atomicAdd(&wide[values[i] & 15], 3ull);
  atomicMax(&bins[32], values[i]);
  if (atomicAdd(&bins[33], 1u) == unsigned(n) - 1) atomicExch(&bins[34], 7u);
}

int main() {
  constexpr int kThreads = 1024;
  unsigned *values = nullptr, *bins = nullptr, host[kThreads], got[64];
  for (int i = 0; i < kThreads; ++i) host[i] = i % 32;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&bins, sizeof got);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, sizeof got);
  count<<<kThreads / 128, 128>>>(values, bins, reinterpret_cast<unsigned long long*>(bins), kThreads);
  cudaMemcpy(got, bins, sizeof got, cudaMemcpyDeviceToHost);
  for (int b = 0; b < 32; ++b)
    if (got[b] != 32u + (b % 2 == 0 ? 3 * 64u : 0u)) return EXIT_FAILURE;
  if (got[32] != 31 || got[33] != kThreads || got[34] != 7) return EXIT_FAILURE;
  cudaFree(values);
  cudaFree(bins);
  return 0;
}
