// problem: challenges/silu
// verdict: wrong-value
// says: the value is nearly right: does something round more than float does
// not: follow the thread named above
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = __half2float(__float2half(input[i] / (1 + expf(-input[i]))));
}

extern "C" void solve(const float* input, float* output, int N) {
  silu<<<(N + 255) / 256, 256>>>(input, output, N);
}
