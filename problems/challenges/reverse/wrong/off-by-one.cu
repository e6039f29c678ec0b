// verdict: out-of-bounds
// why: the partner of element 0 is looked for behind the end
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N / 2) return;
  float x = input[i];
  input[i] = input[N - i];
  input[N - i] = x;
}

extern "C" void solve(float* input, int N) {
  int threads = 256;
  int blocks = (N / 2 + threads - 1) / threads;
  if (blocks > 0) reverse<<<blocks, threads>>>(input, N);
}
