// verdict: wrong-value
// why: σ in place of SiLU
#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int N) {
  int half = N / 2;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) {
    float x = input[i], gate = input[half + i];
    output[i] = gate / (1.0f + expf(-x));
  }
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N / 2 + threads - 1) / threads;
  swiglu<<<blocks, threads>>>(input, output, N);
}
