// verdict: race
// why: the tile is used before all of it is there
#include <cuda_runtime.h>

__global__ void grayscale(const float* input, float* output, int width, int height) {
  __shared__ float tile[3 * 256];
  int start = blockIdx.x * blockDim.x;
  int pixels = min((int)blockDim.x, width * height - start);
  for (int k = threadIdx.x; k < 3 * pixels; k += blockDim.x) tile[k] = input[3 * start + k];
  int t = threadIdx.x;
  if (t < pixels) output[start + t] = 0.299f * tile[3 * t] + 0.587f * tile[3 * t + 1] + 0.114f * tile[3 * t + 2];
}

extern "C" void solve(const float* input, float* output, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  grayscale<<<blocks, threads>>>(input, output, width, height);
}
