// verdict: changed-input
// why: the tree is built in the input itself
#include <cuda_runtime.h>

__global__ void sum_up(const float* input, float* output, int N) {
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  float* mine = const_cast<float*>(input) + blockIdx.x * blockDim.x;
  int here = min(256, N - int(blockIdx.x * blockDim.x));
  for (int step = 128; step > 0; step /= 2) {
    if (t < step && t + step < here) mine[t] += mine[t + step];
    __syncthreads();
  }
  if (t == 0) atomicAdd(output, mine[0]);
}

extern "C" void solve(const float* input, float* output, int N) {
  cudaMemset(output, 0, sizeof(float));
  sum_up<<<(N + 255) / 256, 256>>>(input, output, N);
}
