// docs/advice/tensor-cores.md, before.
#include <cuda_fp16.h>

#include "example.h"

__global__ void products(__half2* out, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 sums[4] = {}, x = out[i];
#pragma unroll 16
  for (int k = 0; k < steps; ++k)
    for (int j = 0; j < 4; ++j) sums[j] = __hfma2(x, sums[j], x);
  out[i] = __hadd2(__hadd2(sums[0], sums[1]), __hadd2(sums[2], sums[3]));
}

int main() {
  int n = 1 << 21;
  products<<<n / 256, 256>>>(zeros<__half2>(n), 1024);
  finish();
}
