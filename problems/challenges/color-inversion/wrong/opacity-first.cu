// verdict: wrong-value
// why: takes the order of the channels for A, R, G, B
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= width * height) return;
  for (int channel = 1; channel < 4; ++channel) image[4 * pixel + channel] = 255 - image[4 * pixel + channel];
}

extern "C" void solve(unsigned char* image, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  invert<<<blocks, threads>>>(image, width, height);
}
