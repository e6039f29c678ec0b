// verdict: wrong-value
// why: the elements behind the last four are left out
#include <cuda_runtime.h>

__device__ float sum_of_block(float x) {
  __shared__ float warps[8];
  for (int step = 16; step > 0; step /= 2) x += __shfl_down_sync(0xffffffff, x, step);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
  __syncthreads();
  float sum = 0;
  for (int w = 0; w < 8; ++w) sum += warps[w];
  return sum;
}

__global__ void dot(const float* A, const float* B, float* sums, unsigned* finished, float* result, int N) {
  __shared__ bool last;
  int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = first; i < N / 4; i += stride) {
    float4 a = reinterpret_cast<const float4*>(A)[i], b = reinterpret_cast<const float4*>(B)[i];
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }

  sum = sum_of_block(sum);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(finished, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  sum = 0;
  for (int b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += sums[b];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) *result = sum;
}

extern "C" void solve(const float* A, const float* B, float* result, int N) {
  int blocks = (N / 4 + 255) / 256;
  if (blocks < 1) blocks = 1;
  if (blocks > 256) blocks = 256;
  float* sums;
  unsigned* finished;
  cudaMalloc(&sums, blocks * sizeof(float));
  cudaMalloc(&finished, sizeof(unsigned));
  cudaMemset(finished, 0, sizeof(unsigned));
  dot<<<blocks, 256>>>(A, B, sums, finished, result, N);
  cudaFree(sums);
  cudaFree(finished);
}
