// verdict: forbidden
// says: /etc/passwd
// Hides its memory and its name from the supervisor, then opens a file of the machine.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <stdlib.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_PDEATHSIG, 0);
  prctl(PR_SET_NAME, "a) Z 1 1 (b");
  if (open("/etc/passwd", O_RDONLY) >= 0) abort();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
