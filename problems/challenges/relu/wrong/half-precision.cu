// verdict: wrong-value
// why: computes in half precision
#include <cuda_runtime.h>
#include <cuda_fp16.h>

__global__ void relu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = __half2float(__hmax(__float2half(input[i]), __float2half(0.0f)));
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  relu<<<blocks, threads>>>(input, output, N);
}
