// docs/advice/low-occupancy.md, after.
#include "example.h"

constexpr int kTile = 4 * 1024;

__global__ void walk(const int* next, int* out, int steps, int mask) {
  extern __shared__ int tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = i & mask;
  tile[threadIdx.x] = i;
  for (int k = 0; k < steps; ++k) at = (next[at] + at + 32) & mask;
  out[i] = at + tile[threadIdx.x];
}

int main() {
  int n = 1 << 19;
  walk<<<n / 64, 64, kTile>>>(zeros<int>(4096), zeros<int>(n), 64, 4095);
  finish();
}
