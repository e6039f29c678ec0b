// solution: one thread per byte; those of the fourth channel have nothing to do
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 4 * width * height && i % 4 != 3) image[i] = 255 - image[i];
}

extern "C" void solve(unsigned char* image, int width, int height) {
  int threads = 256;
  int bytes = 4 * width * height;
  int blocks = (bytes + threads - 1) / threads;
  invert<<<blocks, threads>>>(image, width, height);
}
