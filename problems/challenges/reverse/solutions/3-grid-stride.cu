// solution: a fixed grid that strides over the pairs
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N / 2; i += gridDim.x * blockDim.x) {
    float x = input[i];
    input[i] = input[N - 1 - i];
    input[N - 1 - i] = x;
  }
}

extern "C" void solve(float* input, int N) {
  reverse<<<512, 256>>>(input, N);
}
