// verdict: wrong-value
// why: what is outside becomes zero
#include <cuda_runtime.h>

__global__ void clip(const float* input, float* output, float lo, float hi, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = input[i] >= lo && input[i] <= hi ? input[i] : 0;
}

extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  clip<<<blocks, threads>>>(input, output, lo, hi, N);
}
