// verdict: wrong-value
// why: takes the smaller of the two
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = fminf(input[i], 0.0f);
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  relu<<<blocks, threads>>>(input, output, N);
}
