// verdict: crashed
// says: a message to the device
// Sends the device what no program sends.
#include <cuda_runtime.h>
#include <cstdlib>
#include <sys/socket.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  for (int i = 0; i < 100; ++i) if (send(atoi(getenv("WARPWISE_DEVICE_DESCRIPTOR")), "nonsense", 8, MSG_NOSIGNAL) < 0) break;
}
