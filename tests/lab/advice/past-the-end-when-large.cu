// problem: challenges/relu
// verdict: out-of-bounds
// says: case     large
// says: just past the end of `input`
// not: 0x2
// not: warpwise: cuda
// Addresses of the judge's device mean nothing to a reader.
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = fmaxf(input[N > 1000000 ? i + N : i], 0);
}

extern "C" void solve(const float* input, float* output, int N) {
  relu<<<(N + 255) / 256, 256>>>(input, output, N);
  cudaDeviceSynchronize();
}
