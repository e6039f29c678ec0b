// verdict: forbidden
// says: fork
// A process that shares its memory and is no thread of it.
#include <cuda_runtime.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>
static char stack[1 << 16];

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  clone([](void*) { for (;;) pause(); return 0; }, stack + sizeof stack, CLONE_VM | CLONE_FILES | SIGCHLD, nullptr);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
