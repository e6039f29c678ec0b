// verdict: wrong-value
// why: sums are kept in half precision
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void sum_up(const float* input, float* output, int N) {
  __shared__ __half part[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  part[t] = __float2half(i < N ? input[i] : 0);
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) part[t] = __hadd(part[t], part[t + step]);
    __syncthreads();
  }
  if (t == 0) atomicAdd(output, __half2float(part[0]));
}

extern "C" void solve(const float* input, float* output, int N) {
  cudaMemset(output, 0, sizeof(float));
  sum_up<<<(N + 255) / 256, 256>>>(input, output, N);
}
