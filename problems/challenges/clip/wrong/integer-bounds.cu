// verdict: wrong-value
// why: the bounds lose what stands behind the point
#include <cuda_runtime.h>

__global__ void clip(const float* input, float* output, float lo, float hi, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int low = lo, high = hi;
  if (i < N) output[i] = fminf(fmaxf(input[i], low), high);
}

extern "C" void solve(const float* input, float* output, float lo, float hi, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  clip<<<blocks, threads>>>(input, output, lo, hi, N);
}
