// verdict: out-of-bounds
// why: the guard lets one too many through
#include <cuda_runtime.h>

__global__ void conv_1d(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int output_size = input_size - kernel_size + 1;
  if (i > output_size) return;
  float sum = 0;
  for (int k = 0; k < kernel_size; ++k) sum += input[i + k] * kernel[k];
  output[i] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
  int output_size = input_size - kernel_size + 1;
  int threads = 256;
  int blocks = (output_size + threads - 1) / threads;
  conv_1d<<<blocks, threads>>>(input, kernel, output, input_size, kernel_size);
}
