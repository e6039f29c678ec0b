// verdict: wrong-value
// why: computes in half precision
#include <cuda_runtime.h>
#include <cuda_fp16.h>

__global__ void clip(const float* input, float* output, float lo, float hi, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = __half2float(__hmin(__hmax(__float2half(input[i]), __float2half(lo)), __float2half(hi)));
}

extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  clip<<<blocks, threads>>>(input, output, lo, hi, N);
}
