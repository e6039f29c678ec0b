// verdict: wrong-value
// why: places are taken in the order in which threads come by, not in that of the numbers
#include <cuda_runtime.h>

__global__ void compact(const float* A, int N, float* out, int* taken) {
  int i = N - 1 - int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= 0 && A[i] > 0) out[atomicAdd(taken, 1)] = A[i];
}

extern "C" void solve(const float* A, int N, float* out) {
  int* taken;
  cudaMalloc(&taken, sizeof(int));
  cudaMemset(taken, 0, sizeof(int));
  compact<<<(N + 255) / 256, 256>>>(A, N, out, taken);
  cudaFree(taken);
}
