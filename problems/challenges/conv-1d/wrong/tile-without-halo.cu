// verdict: uninitialised
// why: loads as many elements as there are threads, and no halo
#include <cuda_runtime.h>

__global__ void conv_1d(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
  extern __shared__ float shared[];
  float* taps = shared;
  float* tile = shared + kernel_size;
  int start = blockIdx.x * blockDim.x, t = threadIdx.x;
  for (int k = t; k < kernel_size; k += blockDim.x) taps[k] = kernel[k];
  tile[t] = start + t < input_size ? input[start + t] : 0;
  __syncthreads();
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
