#include <cuda_runtime.h>

__global__ void layer_norm(const float* input, const float* weight, const float* bias, float* output, int N, int C, float eps) {
  // Your code.
}

// input, weight, bias and output are device pointers.
extern "C" void solve(const float* input, const float* weight, const float* bias, float* output, int N, int C, float eps) {
  layer_norm<<<N, 256>>>(input, weight, bias, output, N, C, eps);
  cudaDeviceSynchronize();
}
