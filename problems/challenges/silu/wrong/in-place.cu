// verdict: changed-input
// why: the input is overwritten, too
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = const_cast<float*>(input)[i] = input[i] / (1.0f + expf(-input[i]));
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  silu<<<blocks, threads>>>(input, output, N);
}
