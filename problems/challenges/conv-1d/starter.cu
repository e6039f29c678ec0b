#include <cuda_runtime.h>

__global__ void conv_1d(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int output_size = input_size - kernel_size + 1;
  // Your code.
}

// input, kernel and output are device pointers; output has input_size - kernel_size + 1 elements.
extern "C" void solve(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
  int output_size = input_size - kernel_size + 1;
  int threads = 256;
  int blocks = (output_size + threads - 1) / threads;
  conv_1d<<<blocks, threads>>>(input, kernel, output, input_size, kernel_size);
  cudaDeviceSynchronize();
}
