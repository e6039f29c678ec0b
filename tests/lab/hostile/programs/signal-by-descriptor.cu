// verdict: forbidden
// says: fcntl(F_SETOWN)
// The same through fcntl.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  fcntl(pair[0], 10 /* F_SETSIG */, SIGKILL);
  fcntl(pair[0], F_SETOWN, getppid());
  fcntl(pair[0], F_SETFL, O_ASYNC);
  (void)!write(pair[1], "x", 1);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
