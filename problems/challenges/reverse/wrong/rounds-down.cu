// verdict: wrong-value
// why: the number of blocks is rounded down: the middle stays as it was
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N / 2) return;
  float x = input[i];
  input[i] = input[N - 1 - i];
  input[N - 1 - i] = x;
}

extern "C" void solve(float* input, int N) {
  int threads = 256;
  int pairs = N / 2;
  int blocks = pairs < threads ? 1 : pairs / threads;
  reverse<<<blocks, threads>>>(input, N);
}
