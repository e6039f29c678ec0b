// verdict: forbidden
// says: write /tmp/warpwise-hostile-was-here
// Leaves a file outside.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  if (FILE* file = fopen("/tmp/warpwise-hostile-was-here", "w")) fputs("was here", file);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
