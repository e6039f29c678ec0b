// verdict: barrier
// why: the barrier stands in a branch that half of the threads do not take
#include <cuda_runtime.h>

__global__ void add_squares(const float* predictions, const float* targets, float* mse, int N) {
  __shared__ float part[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  float difference = i < N ? predictions[i] - targets[i] : 0;
  part[t] = difference * difference;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) {
      part[t] += part[t + step];
      __syncthreads();
    }
  }
  if (t == 0) atomicAdd(mse, part[0]);
}

__global__ void divide(float* mse, int N) { *mse /= N; }

extern "C" void solve(const float* predictions, const float* targets, float* mse, int N) {
  cudaMemset(mse, 0, sizeof(float));
  add_squares<<<(N + 255) / 256, 256>>>(predictions, targets, mse, N);
  divide<<<1, 1>>>(mse, N);
}
