// Recursion that exceeds the default stack limit, and recursion that exceeds every limit.
#include <cstdio>

__device__ __noinline__ int sum(int n) {
  volatile int frame[64];
  frame[n % 64] = n;
  if (n == 0) return 0;
  int rest = sum(n - 1);
  return rest + frame[n % 64];
}

__global__ void sums(int n, int* out) { out[threadIdx.x] = sum(n + int(threadIdx.x)); }

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  size_t limit = 0;
  for (int depth : {10, 100}) {
    if (depth == 100) cudaDeviceSetLimit(cudaLimitStackSize, 96 * 1024);
    else cudaDeviceSetLimit(cudaLimitStackSize, 32 * 1024);
    cudaDeviceGetLimit(&limit, cudaLimitStackSize);
    sums<<<2, 64>>>(depth, out);
    cudaError_t error = cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < 64; ++i) wrong += out[i] != (depth + i) * (depth + i + 1) / 2;
    printf("depth %d, limit %zu: %s, %d wrong\n", depth, limit, cudaGetErrorName(error), wrong);
  }
  sums<<<1, 64>>>(1000000, out);
  printf("depth 1000000: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
