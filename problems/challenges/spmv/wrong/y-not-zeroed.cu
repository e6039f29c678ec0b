// verdict: uninitialised
// why: lanes add to y with atomics, and it was never set to zero
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* x, float* y, int M, int N) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= M) return;
  float sum = 0;
  for (int k = lane; k < N; k += 32) sum += A[row * N + k] * x[k];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (lane == 0) atomicAdd(&y[row], sum);
}

extern "C" void solve(const float* A, const float* x, float* y, int M, int N, int nnz) {
  multiply<<<(M + 7) / 8, 256>>>(A, x, y, M, N);
}
