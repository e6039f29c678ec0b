// verdict: out-of-bounds
// why: guards for bytes what it does in words
#include <cuda_runtime.h>

__global__ void invert(unsigned char* image, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 4 * width * height) reinterpret_cast<unsigned int*>(image)[i] ^= 0x00ffffff;
}

extern "C" void solve(unsigned char* image, int width, int height) {
  int threads = 256;
  int pixels = 4 * width * height;
  int blocks = (pixels + threads - 1) / threads;
  invert<<<blocks, threads>>>(image, width, height);
}
