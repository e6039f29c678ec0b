// verdict: failed-call
// why: a block of 2048 threads is more than a device takes: the launch fails, and its error is not checked
#include <cuda_runtime.h>

__global__ void clip(const float* input, float* output, float lo, float hi, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = fminf(fmaxf(input[i], lo), hi);
}

extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
  int threads = 2048;
  int blocks = (N + threads - 1) / threads;
  clip<<<blocks, threads>>>(input, output, lo, hi, N);
}
