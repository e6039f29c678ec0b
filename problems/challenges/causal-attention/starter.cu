#include <cuda_runtime.h>

__global__ void attention(const float* Q, const float* K, const float* V, float* output, int M, int d) {
  // Your code.
}

// Q, K, V and output are device pointers.
extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int d) {
  attention<<<M, 128>>>(Q, K, V, output, M, d);
  cudaDeviceSynchronize();
}
