// verdict: wrong-value
// why: each block reverses its own elements, and the blocks stay where they are
#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
  __shared__ float tile[256];
  int start = blockIdx.x * blockDim.x, count = min((int)blockDim.x, N - start), t = threadIdx.x;
  if (t < count) tile[t] = input[start + t];
  __syncthreads();
  if (t < count) input[start + t] = tile[count - 1 - t];
}

extern "C" void solve(float* input, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  reverse<<<blocks, threads>>>(input, N);
}
