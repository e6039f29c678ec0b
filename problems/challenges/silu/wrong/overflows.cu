// verdict: wrong-value
// why: e^x / (1 + e^x) is infinity by infinity for large x
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = input[i] * (expf(input[i]) / (1.0f + expf(input[i])));
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  silu<<<blocks, threads>>>(input, output, N);
}
