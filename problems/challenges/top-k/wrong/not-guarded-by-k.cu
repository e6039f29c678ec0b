// verdict: out-of-bounds
// why: elements behind the first k are written, too
#include <cuda_runtime.h>

__global__ void top_k(const float* input, float* output, int N, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  float mine = input[i];
  int before = 0;
  for (int j = 0; j < N; ++j) before += input[j] > mine || (input[j] == mine && j < i);
  output[before] = mine;
}

extern "C" void solve(const float* input, float* output, int N, int k) {
  top_k<<<(N + 255) / 256, 256>>>(input, output, N, k);
}
