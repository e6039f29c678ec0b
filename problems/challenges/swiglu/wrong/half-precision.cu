// verdict: wrong-value
// why: computes in half precision
#include <cuda_runtime.h>
#include <cuda_fp16.h>

__global__ void swiglu(const float* input, float* output, int N) {
  int half = N / 2;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) {
    __half x = __float2half(input[i]), gate = __float2half(input[half + i]);
    output[i] = __half2float(__hmul(__hdiv(x, __hadd(__float2half(1.0f), hexp(__hneg(x)))), gate));
  }
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N / 2 + threads - 1) / threads;
  swiglu<<<blocks, threads>>>(input, output, N);
}
