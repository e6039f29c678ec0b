// docs/advice/low-occupancy.md, before.
#include "example.h"

constexpr int kTile = 48 * 1024;

__global__ void walk(const int* next, int* out, int steps, int mask) {
  __shared__ char tile[kTile];
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = i * 97 & mask;
  tile[threadIdx.x * (kTile / 64)] = char(i);
  for (int k = 0; k < steps; ++k) at = (next[at] + at * 5 + 1237) & mask;
  out[i] = at + tile[threadIdx.x * (kTile / 64)];
}

int main() {
  int n = 1 << 22;
  walk<<<n / 64, 64>>>(zeros<int>(n), zeros<int>(n), 16, n - 1);
  finish();
}
