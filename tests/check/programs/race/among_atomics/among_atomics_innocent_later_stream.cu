// The later launch reads a bin that no thread has counted in.
// clean
#include <cuda_runtime.h>

__global__ void count(const unsigned* values, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i] & 63], 1u);
}

__global__ void read(const unsigned* bins, unsigned* out) { *out = bins[5]; }

int main() {
  constexpr int kThreads = 1024;
  unsigned *values = nullptr, *bins = nullptr, *out = nullptr, host[kThreads];
  for (int i = 0; i < kThreads; ++i) host[i] = i % 64 == 5 ? 6 : i % 64;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&bins, 64 * sizeof(unsigned));
  cudaMalloc(&out, sizeof(unsigned));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, 64 * sizeof(unsigned));
  cudaDeviceSynchronize();
  count<<<kThreads / 128, 128>>>(values, bins, kThreads);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  read<<<1, 1, 0, stream>>>(bins, out);
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  cudaFree(values);
  cudaFree(bins);
  cudaFree(out);
  return 0;
}
