// verdict: wrong-value
// why: a straight line in place of the sigmoid
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = input[i] * fminf(fmaxf(input[i] / 6 + 0.5f, 0.0f), 1.0f);
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  silu<<<blocks, threads>>>(input, output, N);
}
