// solution: a fixed grid with shuffles; each warp adds its share of the mean
#include <cuda_runtime.h>

__global__ void mean_squared_error(const float* predictions, const float* targets, float* mse, int N) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    float difference = predictions[i] - targets[i];
    sum += difference * difference;
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0) atomicAdd(mse, sum / N);
}

extern "C" void solve(const float* predictions, const float* targets, float* mse, int N) {
  int blocks = (N + 255) / 256 < 256 ? (N + 255) / 256 : 256;
  cudaMemset(mse, 0, sizeof(float));
  mean_squared_error<<<blocks, 256>>>(predictions, targets, mse, N);
}
