// verdict: race
// why: the guard counts elements, not pairs: threads beyond the middle exchange pairs back at the same time
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
  int blocks = (N / 2 + threads - 1) / threads;
  if (blocks > 0) reverse<<<blocks, threads>>>(input, N);
}
