// docs/advice/shared-atomics.md, after.
#include "example.h"

// Equal values of a warp are added by one lane.
__global__ void sums_by_bin(const int* data, int* sums, int steps) {
  __shared__ int bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < steps; ++k) {
    int value = data[i] + k;
    unsigned same = __match_any_sync(0xffffffff, value);
    if (threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(&bins[value % 64], value * __popc(same));
  }
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&sums[threadIdx.x], bins[threadIdx.x]);
}

int main() {
  int n = 1 << 19;
  sums_by_bin<<<n / 256, 256>>>(zeros<int>(n), zeros<int>(64), 64);
  finish();
}
