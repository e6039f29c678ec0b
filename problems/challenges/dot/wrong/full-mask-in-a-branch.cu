// verdict: barrier
// why: the sum of a warp is fetched from its last lane, which has returned where the elements end
#include <cuda_runtime.h>

__global__ void dot(const float* A, const float* B, float* result, int N) {
  if (blockIdx.x * blockDim.x + threadIdx.x >= N) return;
  int lane = threadIdx.x % 32;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) sum += A[i] * B[i];
  for (int step = 1; step < 32; step *= 2) {
    float below = __shfl_up_sync(0xffffffff, sum, step);
    if (lane >= step) sum += below;
  }
  sum = __shfl_sync(0xffffffff, sum, 31);
  if (lane == 0) atomicAdd(result, sum);
}

extern "C" void solve(const float* A, const float* B, float* result, int N) {
  int blocks = (N + 255) / 256 < 256 ? (N + 255) / 256 : 256;
  cudaMemset(result, 0, sizeof(float));
  dot<<<blocks, 256>>>(A, B, result, N);
}
