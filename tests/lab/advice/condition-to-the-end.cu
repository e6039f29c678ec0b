// problem: challenges/relu
// verdict: accepted
// says: warning  condition-to-the-end.cu:11: a barrier that some threads of the block reach and others go past, to the end
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  __shared__ float part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    part[threadIdx.x] = input[i];
    __syncthreads();
    output[i] = fmaxf(part[threadIdx.x], 0);
  }
}

extern "C" void solve(const float* input, float* output, int N) {
  relu<<<(N + 255) / 256, 256>>>(input, output, N);
  cudaDeviceSynchronize();
}
