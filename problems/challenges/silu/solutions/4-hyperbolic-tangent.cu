// solution: σ(x) is (1 + tanh(x / 2)) / 2: no exponential, no division
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    float half_x = 0.5f * input[i];
    output[i] = half_x * tanhf(half_x) + half_x;
  }
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  silu<<<blocks, threads>>>(input, output, N);
}
