// verdict: wrong-value
// why: takes elements 2i and 2i + 1 for a pair
#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int N) {
  int half = N / 2;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) {
    float x = input[2 * i], gate = input[2 * i + 1];
    output[i] = x / (1.0f + expf(-x)) * gate;
  }
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N / 2 + threads - 1) / threads;
  swiglu<<<blocks, threads>>>(input, output, N);
}
