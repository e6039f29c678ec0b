// Each point from itself and its four neighbours; the border is copied.
#include "kernel.h"

__global__ void stencil(const float* in, float* out, int width, int height, float centre, float side) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int i = y * width + x;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    out[i] = centre * in[i] + side * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
  else
    out[i] = in[i];
}
BENCH_KERNEL(stencil)
