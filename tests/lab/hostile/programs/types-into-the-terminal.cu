// verdict: forbidden
// says: ioctl(TIOCSTI)
// Types a command into the terminal of the judge.
#include <cuda_runtime.h>
#include <sys/ioctl.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  for (int fd = 0; fd < 3; ++fd) ioctl(fd, TIOCSTI, "\n");
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
