// verdict: wrong-value
// why: the three colours count alike
#include <cuda_runtime.h>

__global__ void grayscale(const float* input, float* output, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= width * height) return;
  output[pixel] = (input[3 * pixel] + input[3 * pixel + 1] + input[3 * pixel + 2]) / 3;
}

extern "C" void solve(const float* input, float* output, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  grayscale<<<blocks, threads>>>(input, output, width, height);
}
