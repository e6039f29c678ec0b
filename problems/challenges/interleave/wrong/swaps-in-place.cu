// verdict: changed-input
// why: exchanges the inputs' elements on the way
#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  float* a = const_cast<float*>(A);
  output[2 * i] = a[i];
  a[i] = B[i];
  output[2 * i + 1] = a[i];
}

extern "C" void solve(const float* A, const float* B, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  interleave<<<blocks, threads>>>(A, B, output, N);
}
