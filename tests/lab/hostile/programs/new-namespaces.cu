// verdict: forbidden
// says: unshare
// A user namespace of its own, where it is root.
#include <cuda_runtime.h>
#include <sched.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  unshare(CLONE_NEWUSER | CLONE_NEWNS);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
