// verdict: wrong-value
// why: takes the order of the channels for B, G, R
#include <cuda_runtime.h>

__global__ void grayscale(const float* input, float* output, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= width * height) return;
  output[pixel] = 0.114f * input[3 * pixel] + 0.587f * input[3 * pixel + 1] + 0.299f * input[3 * pixel + 2];
}

extern "C" void solve(const float* input, float* output, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  grayscale<<<blocks, threads>>>(input, output, width, height);
}
