// verdict: race
// why: a thread per product, which all add to the output without atomics
#include <cuda_runtime.h>

__global__ void conv_1d(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = blockIdx.y;
  if (i > input_size - kernel_size) return;
  output[i] = (k ? output[i] : 0) + input[i + k] * kernel[k];
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
  int output_size = input_size - kernel_size + 1;
  int threads = 256;
  dim3 blocks((output_size + threads - 1) / threads, kernel_size);
  conv_1d<<<blocks, threads>>>(input, kernel, output, input_size, kernel_size);
}
