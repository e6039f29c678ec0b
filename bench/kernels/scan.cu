// Inclusive prefix sums within each block of 256 (Hillis and Steele): eight steps, two barriers each.
#include "kernel.h"

__global__ void scan(const int* in, int* out, int n) {
  __shared__ int part[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    int before = t >= offset ? part[t - offset] : 0;
    __syncthreads();
    part[t] += before;
    __syncthreads();
  }
  if (i < n) out[i] = part[t];
}
BENCH_KERNEL(scan)
