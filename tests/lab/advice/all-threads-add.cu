// problem: challenges/reduction
// verdict: race
// says: 1 more at this line: C0202
// says: several threads use this element in one statement
// says: explain C0202
// not: __syncwarp()
// not: of the same kind
// not: uninitialised
// One statement, one cause.
#include <cuda_runtime.h>

__global__ void sum(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) *output += input[i];
}

extern "C" void solve(const float* input, float* output, int N) {
  cudaMemset(output, 0, sizeof(float));
  sum<<<(N + 255) / 256, 256>>>(input, output, N);
}
