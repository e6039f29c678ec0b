// docs/advice/register-spills.md, after.
#include "example.h"

__global__ void sort_of(float* data, int steps, int mask) {
  float window[16];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 16; ++k) window[k] = data[i] + k;
  for (int start = 0; start < steps; start += 16)
#pragma unroll
    for (int k = 0; k < 16; ++k) window[(k * 7) & 15] += window[k];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) sum += window[k];
  data[i] = sum;
}

int main() {
  int n = 1 << 19;
  sort_of<<<n / 256, 256>>>(zeros<float>(n), 256, 15);
  finish();
}
