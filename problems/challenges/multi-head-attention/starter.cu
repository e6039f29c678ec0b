#include <cuda_runtime.h>

__global__ void attention(const float* Q, const float* K, const float* V, float* output, int N, int d_model, int h) {
  // Your code.
}

// Q, K, V and output are device pointers.
extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int N, int d_model, int h) {
  attention<<<dim3(N, h), 128>>>(Q, K, V, output, N, d_model, h);
  cudaDeviceSynchronize();
}
