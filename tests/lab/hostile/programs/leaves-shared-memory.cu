// verdict: forbidden
// says: shmget
// Shared memory that outlives its program.
#include <cuda_runtime.h>
#include <sys/shm.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  shmget(0x5757, 1 << 20, IPC_CREAT | 0600);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
