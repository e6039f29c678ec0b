// verdict: forbidden
// says: mq_open
// A message queue that outlives its program.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <mqueue.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  mq_open("/warpwise-hostile", O_CREAT | O_RDWR, 0600, nullptr);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
