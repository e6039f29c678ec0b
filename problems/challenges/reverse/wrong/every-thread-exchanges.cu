// verdict: race
// why: all N threads exchange, so each pair is exchanged by two at once
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  float x = input[i];
  input[i] = input[N - 1 - i];
  input[N - 1 - i] = x;
}

extern "C" void solve(float* input, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  reverse<<<blocks, threads>>>(input, N);
}
