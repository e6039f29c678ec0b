// verdict: barrier
// why: the threads of the upper half never reach the barrier
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0, y = 0;
  if (i < N / 2) {
    x = input[i];
    y = input[N - 1 - i];
    __syncthreads();
  }
  if (i < N / 2) {
    input[i] = y;
    input[N - 1 - i] = x;
  }
}

extern "C" void solve(float* input, int N) {
  int threads = 256;
  int blocks = (N / 2 + threads - 1) / threads;
  if (blocks > 0) reverse<<<blocks, threads>>>(input, N);
}
