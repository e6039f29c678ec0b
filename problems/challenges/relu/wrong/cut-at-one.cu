// verdict: wrong-value
// why: cuts off above one, too
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = fminf(fmaxf(input[i], 0.0f), 1.0f);
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  relu<<<blocks, threads>>>(input, output, N);
}
