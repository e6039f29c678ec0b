#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  // Your code.
}

// image is a device pointer: width * height pixels of four bytes.
extern "C" void solve(unsigned char* image, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  invert<<<blocks, threads>>>(image, width, height);
  cudaDeviceSynchronize();
}
