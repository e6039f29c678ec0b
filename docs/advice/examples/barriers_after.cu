// docs/advice/barriers.md, after.
#include "example.h"

constexpr int kThreads = 128, kPiece = 32;

__global__ void sweep(const float* in, float* out, int steps) {
  __shared__ float piece[kThreads * kPiece];
  float sum = 0;
  for (int k = 0; k < steps / kPiece; ++k) {
    for (int j = 0; j < kPiece; ++j) piece[j * kThreads + threadIdx.x] = in[((blockIdx.x * steps + k * kPiece + j) * kThreads + threadIdx.x) % (1 << 24)];
    __syncthreads();
    for (int j = 0; j < kPiece; ++j) sum += piece[j * kThreads + (threadIdx.x + 1) % kThreads];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  int n = 1 << 22;
  sweep<<<n / 4096, kThreads>>>(zeros<float>(n * 4), zeros<float>(n), 64);
  finish();
}
