// verdict: wrong-value
// why: inverts the first channel only
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= width * height) return;
  image[4 * pixel] = 255 - image[4 * pixel];
}

extern "C" void solve(unsigned char* image, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  invert<<<blocks, threads>>>(image, width, height);
}
