// verdict: failed-call
// why: a block of 2048 threads is more than a device takes: the launch fails, and its error is not checked
#include <cuda_runtime.h>

__global__ void leaky_relu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = input[i] > 0 ? input[i] : 0.01f * input[i];
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 2048;
  int blocks = (N + threads - 1) / threads;
  leaky_relu<<<blocks, threads>>>(input, output, N);
}
