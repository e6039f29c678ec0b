// verdict: forbidden
// says: socket(AF_INET)
// Asks another machine.
#include <cuda_runtime.h>
#include <sys/socket.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  if (socket(AF_INET, SOCK_STREAM, 0) < 0) return;
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
