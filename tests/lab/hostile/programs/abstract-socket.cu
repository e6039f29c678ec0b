// verdict: forbidden
// says: bind
// A name in the kernel that other programs can reach.
#include <cuda_runtime.h>
#include <sys/socket.h>
#include <sys/un.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  int pair[2];
  sockaddr_un name{AF_UNIX, "\0warpwise-hostile"};
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  bind(pair[0], reinterpret_cast<sockaddr*>(&name), sizeof name);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
