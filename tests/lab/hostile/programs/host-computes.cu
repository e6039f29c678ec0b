// verdict: forbidden
// says: from the host
// The host computes, and copies the answer to where it should be.
#include <cuda_runtime.h>
#include <vector>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  std::vector<float> a(N), b(N);
  cudaMemcpy(a.data(), A, N * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), B, N * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; ++i) a[i] += b[i];
  cudaMemcpy(C, a.data(), N * 4, cudaMemcpyHostToDevice);
}
