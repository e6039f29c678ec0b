// How many steps each point takes to leave the circle of radius 2: a loop whose lanes end at different
// times. Every product is in an explicit fma, so that all compilers compute the same counts.
#include "kernel.h"

__global__ void mandelbrot(int* steps, int width, int height, float scale, int limit) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  float x0 = fmaf(column, scale, -2.0f), y0 = fmaf(row, scale, -1.5f);
  float x = 0, y = 0;
  int step = 0;
  while (fmaf(x, x, y * y) < 4.0f && step < limit) {
    float next = fmaf(x, x, fmaf(-y, y, x0));
    y = fmaf(x + x, y, y0);
    x = next;
    ++step;
  }
  steps[row * width + column] = step;
}
BENCH_KERNEL(mandelbrot)
