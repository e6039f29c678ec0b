// solution: each block counts in shared memory, and adds its counts at the end
#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N, int num_bins) {
  extern __shared__ int mine[];
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) atomicAdd(&mine[input[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < num_bins; b += blockDim.x)
    if (mine[b]) atomicAdd(&histogram[b], mine[b]);
}

extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
  int blocks = (N + 1023) / 1024 < 128 ? (N + 1023) / 1024 : 128;
  count<<<blocks, 256, num_bins * sizeof(int)>>>(input, histogram, N, num_bins);
}
