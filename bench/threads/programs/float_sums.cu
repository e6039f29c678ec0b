// The sum of 2^24 floats, 20 times: each warp adds what it has to one float in memory. Prints the bits of the last sum.
#include <cstdio>
#include <cstring>

__global__ void sum(const float* x, float* total, int n) {
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += sinf(x[i]);
  for (int lanes = 16; lanes > 0; lanes /= 2) mine += __shfl_down_sync(~0u, mine, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(total, mine);
}

__global__ void fill(float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = float(i % 1000) / 999;
}

int main() {
  constexpr int kCount = 1 << 24;
  float *x, *total, found;
  cudaMalloc(&x, kCount * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  fill<<<kCount / 256, 256>>>(x);
  for (int turn = 0; turn < 20; ++turn) {
    cudaMemset(total, 0, sizeof(float));
    sum<<<2048, 256>>>(x, total, kCount);
  }
  cudaMemcpy(&found, total, sizeof found, cudaMemcpyDeviceToHost);
  unsigned bits;
  memcpy(&bits, &found, sizeof bits);
  printf("%08x\n", bits);
}
