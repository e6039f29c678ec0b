// verdict: unwritten
// why: where the input is negative nothing is written: the output does not begin with zeros
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N && input[i] > 0) output[i] = input[i];
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  relu<<<blocks, threads>>>(input, output, N);
}
