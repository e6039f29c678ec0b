// solution: the pixel is one word: 255 - x is x with all its bits turned over
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel < width * height) reinterpret_cast<unsigned int*>(image)[pixel] ^= 0x00ffffff;
}

extern "C" void solve(unsigned char* image, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  invert<<<blocks, threads>>>(image, width, height);
}
