// verdict: forbidden
// says: add_key
// A key in the kernel, which outlives its program.
#include <cuda_runtime.h>
#include <sys/syscall.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  syscall(SYS_add_key, "user", "answers", "1.5", 3, -4);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
