#include <cstdio>
#include <cuda_fp16.h>

__global__ void count() {
  __half narrow = __float2half(0);
  float wide = 0;
  for (int i = 0; i < 4096; ++i) {
    narrow = __hadd(narrow, __float2half(1));
    wide += 1;
  }
  printf("%.0f %.0f\n", __half2float(narrow), wide);
}

int main() {
  count<<<1, 1>>>();
  cudaDeviceSynchronize();
}
