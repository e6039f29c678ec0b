// docs/advice/wide-loads.md, before.
#include "example.h"

__global__ void brightness(const unsigned char* pixels, int n, unsigned* sums) {
  unsigned sum = 0;
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) sum += pixels[i];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  constexpr int kPixels = 1 << 24, kBlocks = 1056, kThreads = 256;
  brightness<<<kBlocks, kThreads>>>(zeros<unsigned char>(kPixels), kPixels, zeros<unsigned>(kBlocks * kThreads));
  finish();
}
