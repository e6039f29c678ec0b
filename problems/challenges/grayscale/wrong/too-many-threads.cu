// verdict: failed-call
// why: blocks of 64 × 32 threads are more than a device takes: the launch fails, and its error is not checked
#include <cuda_runtime.h>

__global__ void grayscale(const float* input, float* output, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int pixel = y * width + x;
  output[pixel] = 0.299f * input[3 * pixel] + 0.587f * input[3 * pixel + 1] + 0.114f * input[3 * pixel + 2];
}

extern "C" void solve(const float* input, float* output, int width, int height) {
  dim3 threads(64, 32);
  dim3 blocks((width + 63) / 64, (height + 31) / 32);
  grayscale<<<blocks, threads>>>(input, output, width, height);
}
