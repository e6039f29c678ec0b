// verdict: barrier
// why: lanes without an element leave before the shuffles, and the last of them holds the sum
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* x, float* y, int M, int N) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= M) return;
  if (lane >= N) return;
  float sum = 0;
  for (int k = lane; k < N; k += 32) sum += A[row * N + k] * x[k];
  for (int step = 1; step < 32; step *= 2) {
    float below = __shfl_up_sync(0xffffffff, sum, step);
    if (lane >= step) sum += below;
  }
  sum = __shfl_sync(0xffffffff, sum, 31);
  if (lane == 0) y[row] = sum;
}

extern "C" void solve(const float* A, const float* x, float* y, int M, int N, int nnz) {
  multiply<<<(M + 7) / 8, 256>>>(A, x, y, M, N);
}
