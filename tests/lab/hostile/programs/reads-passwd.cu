// verdict: forbidden
// says: /etc/passwd
// Reads a file of the machine.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  char line[64] = {};
  if (FILE* file = fopen("/etc/passwd", "r")) puts(fgets(line, sizeof line, file));
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
