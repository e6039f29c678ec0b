// verdict: wrong-value
// why: adds the number itself instead of one
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) atomicAdd(&histogram[input[i]], input[i]);
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
  count<<<(N + 255) / 256, 256>>>(input, histogram, N);
}
