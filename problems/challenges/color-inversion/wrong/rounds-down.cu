// verdict: wrong-value
// why: the number of blocks is rounded down: the last pixels stay as they were
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= width * height) return;
  image[4 * pixel] = 255 - image[4 * pixel];
  image[4 * pixel + 1] = 255 - image[4 * pixel + 1];
  image[4 * pixel + 2] = 255 - image[4 * pixel + 2];
}

extern "C" void solve(unsigned char* image, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = pixels < threads ? 1 : pixels / threads;
  invert<<<blocks, threads>>>(image, width, height);
}
