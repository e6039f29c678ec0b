// verdict: wrong-value
// why: passes through half precision
#include <cuda_runtime.h>
#include <cuda_fp16.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  output[2 * i] = __half2float(__float2half(A[i]));
  output[2 * i + 1] = __half2float(__float2half(B[i]));
}

extern "C" void solve(const float* A, const float* B, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  interleave<<<blocks, threads>>>(A, B, output, N);
}
