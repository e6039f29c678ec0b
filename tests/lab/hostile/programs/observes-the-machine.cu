// verdict: forbidden
// says: perf_event_open
// Counters of all processes of the machine.
#include <cuda_runtime.h>
#include <sys/syscall.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  char attributes[128] = {};
  syscall(SYS_perf_event_open, attributes, -1, 0, -1, 0);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
