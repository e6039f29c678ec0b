// verdict: wrong-value
// why: passes through half precision
#include <cuda_runtime.h>
#include <cuda_fp16.h>

__global__ void reverse(float* input, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N / 2) return;
  float x = __half2float(__float2half(input[i]));
  input[i] = __half2float(__float2half(input[N - 1 - i]));
  input[N - 1 - i] = x;
}

extern "C" void solve(float* input, int N) {
  int threads = 256;
  int blocks = (N / 2 + threads - 1) / threads;
  if (blocks > 0) reverse<<<blocks, threads>>>(input, N);
}
