// problem: challenges/relu
// verdict: forbidden
// says: a submission may not start processes
// not: doing that yourself
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) output[i] = fmaxf(input[i], 0);
}

extern "C" void solve(const float* input, float* output, int N) {
  if (system("true")) return;
  relu<<<1, 256>>>(input, output, N);
}
