// verdict: forbidden
// says: symlink to /etc/passwd
// A link in its own folder that leads outside.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  if (symlink("/etc/passwd", "link") == 0) (void)open("link", O_RDONLY);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
