// verdict: wrong-value
// why: forgets the upper bound
#include <cuda_runtime.h>

__global__ void clip(const float* input, float* output, float lo, float hi, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = fmaxf(input[i], lo);
}

extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  clip<<<blocks, threads>>>(input, output, lo, hi, N);
}
