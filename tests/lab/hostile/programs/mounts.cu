// verdict: forbidden
// says: mount
// Mounts a file system over the judge's.
#include <cuda_runtime.h>
#include <sys/mount.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  mount("none", "/tmp", "tmpfs", 0, nullptr);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
