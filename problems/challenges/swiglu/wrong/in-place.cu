// verdict: changed-input
// why: keeps SiLU in the input
#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int N) {
  int half = N / 2;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) {
    float* work = const_cast<float*>(input);
    work[i] = input[i] / (1.0f + expf(-input[i]));
    output[i] = work[i] * input[half + i];
  }
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N / 2 + threads - 1) / threads;
  swiglu<<<blocks, threads>>>(input, output, N);
}
