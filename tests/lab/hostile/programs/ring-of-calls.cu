// verdict: forbidden
// says: io_uring_setup
// Asks for a ring of system calls, which no filter sees.
#include <cuda_runtime.h>
#include <sys/syscall.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  char parameters[256] = {};
  syscall(SYS_io_uring_setup, 8, parameters);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
