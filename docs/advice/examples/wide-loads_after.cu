// docs/advice/wide-loads.md, after.
#include "example.h"

__global__ void brightness(const uint4* pixels, int n, unsigned* sums) {
  unsigned sum = 0;
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 16; i += threads) {
    const uint4 p = pixels[i];
    sum = __dp4a(p.x, 0x01010101u, sum);
    sum = __dp4a(p.y, 0x01010101u, sum);
    sum = __dp4a(p.z, 0x01010101u, sum);
    sum = __dp4a(p.w, 0x01010101u, sum);
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  constexpr int kPixels = 1 << 24, kBlocks = 1056, kThreads = 256;
  brightness<<<kBlocks, kThreads>>>(zeros<uint4>(kPixels / 16), kPixels, zeros<unsigned>(kBlocks * kThreads));
  finish();
}
