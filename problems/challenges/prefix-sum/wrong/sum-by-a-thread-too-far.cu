// verdict: uninitialised
// why: the sum of a block is written by thread 256, and the last one is 255
#include <cuda_runtime.h>

__global__ void scan_blocks(const float* input, float* output, float* sums, int N) {
  __shared__ float part[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int now = 0;
  part[now][t] = i < N ? input[i] : 0;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    part[1 - now][t] = part[now][t] + (t >= step ? part[now][t - step] : 0);
    now = 1 - now;
    __syncthreads();
  }
  if (i < N) output[i] = part[now][t];
  if (t == 256) sums[blockIdx.x] = part[now][t];
}

__global__ void add(float* output, const float* sums, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < N) output[i] += sums[blockIdx.x - 1];
}

void scan(const float* input, float* output, int N) {
  int blocks = (N + 255) / 256;
  float *sums, *before;
  cudaMalloc(&sums, blocks * sizeof(float));
  cudaMalloc(&before, blocks * sizeof(float));
  scan_blocks<<<blocks, 256>>>(input, output, sums, N);
  if (blocks > 1) {
    scan(sums, before, blocks);
    add<<<blocks, 256>>>(output, before, N);
  }
  cudaFree(sums);
  cudaFree(before);
}

extern "C" void solve(const float* input, float* output, int N) { scan(input, output, N); }
