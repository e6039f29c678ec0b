// Adds in place, and copies the result: its input is not what it was.
#include <cuda_runtime.h>

__global__ void add(float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] += b[i];
}

extern "C" void solve(float* a, const float* b, float* sum, int n) { add<<<(n + 255) / 256, 256>>>(a, b, sum, n); }
