// verdict: wrong-value
// why: takes the image for a square: what is beyond stays as it was
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= min(width, height) * min(width, height)) return;
  image[4 * pixel] = 255 - image[4 * pixel];
  image[4 * pixel + 1] = 255 - image[4 * pixel + 1];
  image[4 * pixel + 2] = 255 - image[4 * pixel + 2];
}

extern "C" void solve(unsigned char* image, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  invert<<<blocks, threads>>>(image, width, height);
}
