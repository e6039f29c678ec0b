// verdict: race
// why: pixels begin one byte after the other, so threads share bytes
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= width * height) return;
  image[pixel] = 255 - image[pixel];
  image[pixel + 1] = 255 - image[pixel + 1];
  image[pixel + 2] = 255 - image[pixel + 2];
}

extern "C" void solve(unsigned char* image, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  invert<<<blocks, threads>>>(image, width, height);
}
