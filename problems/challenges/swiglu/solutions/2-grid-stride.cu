// solution: a fixed grid that strides over the output, with the fast exponential
#include <cuda_runtime.h>

__global__ void swiglu(const float* input, float* output, int N) {
  int half = N / 2;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < half; i += gridDim.x * blockDim.x) {
    float x = input[i];
    output[i] = __fdividef(x, 1.0f + __expf(-x)) * input[half + i];
  }
}

extern "C" void solve(const float* input, float* output, int N) {
  swiglu<<<512, 256>>>(input, output, N);
}
