// solution: a fixed grid that strides over the elements; with the "solve.h" that many files include
#include "solve.h"

#include <cuda_runtime.h>

__global__ void leaky_relu(const float* input, float* output, int N) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    float x = input[i];
    output[i] = fmaxf(x, 0.01f * x);
  }
}

void solve(const float* input, float* output, int N) {
  leaky_relu<<<512, 256>>>(input, output, N);
}
