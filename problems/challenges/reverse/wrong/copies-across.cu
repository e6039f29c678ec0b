// verdict: race
// why: each thread writes one element, which another one still has to read
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) input[i] = input[N - 1 - i];
}

extern "C" void solve(float* input, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  reverse<<<blocks, threads>>>(input, N);
}
