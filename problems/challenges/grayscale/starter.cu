#include <cuda_runtime.h>

__global__ void grayscale(const float* input, float* output, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  // Your code.
}

// input: width * height pixels of three floats; output: one float per pixel; both are device pointers.
extern "C" void solve(const float* input, float* output, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  grayscale<<<blocks, threads>>>(input, output, width, height);
  cudaDeviceSynchronize();
}
