// verdict: race
// why: threads without an element return before the barriers, which then do not order what they wrote
#include <cuda_runtime.h>

__global__ void dot(const float* A, const float* B, float* result, int N) {
  __shared__ float part[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  part[t] = 0;
  if (i >= N) return;
  part[t] = A[i] * B[i];
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) atomicAdd(result, part[0]);
}

extern "C" void solve(const float* A, const float* B, float* result, int N) {
  cudaMemset(result, 0, sizeof(float));
  dot<<<(N + 255) / 256, 256>>>(A, B, result, N);
}
