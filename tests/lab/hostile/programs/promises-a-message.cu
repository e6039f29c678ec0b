// verdict: too-slow
// within: 20
// Sends the device the beginning of a message of a megabyte, and then nothing.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdlib>
#include <sys/socket.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  const uint64_t mark = 0x6567617373656d77;  // of every message (device/remote/channel.h)
  const uint64_t beginning[3] = {mark, 1 << 20, 1};
  send(atoi(getenv("WARPWISE_DEVICE_DESCRIPTOR")), beginning, sizeof beginning, MSG_NOSIGNAL);
  for (;;) pause();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
