// verdict: forbidden
// says: from the host
// The host computes, and writes each byte with a cudaMemset of its own.
#include <cuda_runtime.h>
#include <cstring>
#include <vector>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  std::vector<float> a(N), b(N);
  cudaMemcpy(a.data(), A, N * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), B, N * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; ++i) {
    float sum = a[i] + b[i];
    unsigned char bytes[4];
    memcpy(bytes, &sum, 4);
    for (int k = 0; k < 4; ++k) cudaMemset(reinterpret_cast<char*>(C + i) + k, bytes[k], 1);
  }
}
