// Ends its process after some runs.
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

extern "C" void solve(const float* a, const float* b, float* sum, int n) {
  static int runs = 0;
  if (++runs > 10) std::abort();
  add<<<(n + 255) / 256, 256>>>(a, b, sum, n);
}
