// verdict: wrong-value
// why: takes the image for three planes, one per colour
#include <cuda_runtime.h>

__global__ void grayscale(const float* input, float* output, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= width * height) return;
  int plane = width * height;
  output[pixel] = 0.299f * input[pixel] + 0.587f * input[plane + pixel] + 0.114f * input[2 * plane + pixel];
}

extern "C" void solve(const float* input, float* output, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  grayscale<<<blocks, threads>>>(input, output, width, height);
}
