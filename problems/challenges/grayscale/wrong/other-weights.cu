// verdict: wrong-value
// why: the weights of another standard (BT.709)
#include <cuda_runtime.h>

__global__ void grayscale(const float* input, float* output, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= width * height) return;
  output[pixel] = 0.2126f * input[3 * pixel] + 0.7152f * input[3 * pixel + 1] + 0.0722f * input[3 * pixel + 2];
}

extern "C" void solve(const float* input, float* output, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  grayscale<<<blocks, threads>>>(input, output, width, height);
}
