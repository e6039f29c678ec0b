// docs/advice/shared-atomics.md, after.
#include "example.h"

// Equal values of a warp are counted by one lane.
__global__ void histogram(const int* data, int* counts, int steps) {
  __shared__ int bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < steps; ++k) {
    int bin = (data[i] + k) % 64;
    unsigned same = __match_any_sync(0xffffffff, bin);
    if (threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(&bins[bin], __popc(same));
  }
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

int main() {
  int n = 1 << 19;
  histogram<<<n / 256, 256>>>(zeros<int>(n), zeros<int>(64), 64);
  finish();
}
