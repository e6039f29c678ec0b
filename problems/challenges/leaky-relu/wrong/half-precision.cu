// verdict: wrong-value
// why: computes in half precision
#include <cuda_runtime.h>
#include <cuda_fp16.h>

__global__ void leaky_relu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = __half2float(__hmul(__float2half(input[i]), __float2half(input[i] > 0 ? 1.0f : 0.01f)));
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  leaky_relu<<<blocks, threads>>>(input, output, N);
}
