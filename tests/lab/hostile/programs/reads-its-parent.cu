// verdict: forbidden
// says: /mem
// The memory of the process that started it, as a file.
#include <cuda_runtime.h>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", getppid());
  if (open(path, O_RDWR) >= 0) puts("open");
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
