// verdict: race
// why: the tile is used before all of it is there
#include <cuda_runtime.h>

__global__ void conv_1d(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
  extern __shared__ float shared[];
  float* taps = shared;
  float* tile = shared + kernel_size;
  int start = blockIdx.x * blockDim.x, t = threadIdx.x;
  for (int k = t; k < kernel_size; k += blockDim.x) taps[k] = kernel[k];
  for (int k = t; k < blockDim.x + kernel_size - 1; k += blockDim.x) tile[k] = start + k < input_size ? input[start + k] : 0;
  if (start + t > input_size - kernel_size) return;
  float sum = 0;
  for (int k = 0; k < kernel_size; ++k) sum += tile[t + k] * taps[k];
  output[start + t] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
  int output_size = input_size - kernel_size + 1;
  int threads = 256;
  int blocks = (output_size + threads - 1) / threads;
  size_t bytes = (2 * kernel_size + threads - 1) * sizeof(float);
  conv_1d<<<blocks, threads, bytes>>>(input, kernel, output, input_size, kernel_size);
}
