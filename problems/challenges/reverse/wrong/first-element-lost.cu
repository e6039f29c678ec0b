// verdict: wrong-value
// why: the exchange forgets the first of the two values
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N / 2) return;
  input[i] = input[N - 1 - i];
  input[N - 1 - i] = input[i];
}

extern "C" void solve(float* input, int N) {
  int threads = 256;
  int blocks = (N / 2 + threads - 1) / threads;
  if (blocks > 0) reverse<<<blocks, threads>>>(input, N);
}
