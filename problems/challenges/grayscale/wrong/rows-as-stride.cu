// verdict: unwritten
// why: multiplies by the height where the width is meant: right for square images
#include <cuda_runtime.h>

__global__ void grayscale(const float* input, float* output, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int pixel = y * height + x;
  if (pixel >= width * height) return;
  output[pixel] = 0.299f * input[3 * pixel] + 0.587f * input[3 * pixel + 1] + 0.114f * input[3 * pixel + 2];
}

extern "C" void solve(const float* input, float* output, int width, int height) {
  dim3 threads(32, 8);
  dim3 blocks((width + 31) / 32, (height + 7) / 8);
  grayscale<<<blocks, threads>>>(input, output, width, height);
}
