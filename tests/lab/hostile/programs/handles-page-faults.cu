// verdict: forbidden
// says: userfaultfd
// Wants to answer page faults, and to hold the kernel there as long as it likes.
#include <cuda_runtime.h>
#include <sys/syscall.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  syscall(SYS_userfaultfd, 0);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
