// docs/advice/bank-conflicts.md, before.
#include "example.h"

constexpr int kPitch = 32;

__global__ void sum_columns(float* out, int steps) {
  __shared__ float tile[32 * kPitch];
  int x = threadIdx.x % 32, y = threadIdx.x / 32;
  tile[y * kPitch + x] = out[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < steps; ++k) sum += tile[x * kPitch + (y + k) % 32];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  int n = 256;
  sum_columns<<<132 * 4, 1024>>>(zeros<float>(132 * 4 * 1024), n);
  finish();
}
