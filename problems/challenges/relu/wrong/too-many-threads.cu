// verdict: failed-call
// why: a block of 2048 threads is more than a device takes: the launch fails, and its error is not checked
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = fmaxf(input[i], 0.0f);
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 2048;
  int blocks = (N + threads - 1) / threads;
  relu<<<blocks, threads>>>(input, output, N);
}
