// verdict: wrong-value
// why: computes in half precision
#include <cuda_runtime.h>
#include <cuda_fp16.h>

__global__ void silu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    half x = __float2half(input[i]);
    output[i] = __half2float(__hdiv(x, __hadd(__float2half(1.0f), hexp(__hneg(x)))));
  }
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  silu<<<blocks, threads>>>(input, output, N);
}
