// problem: challenges/softmax
// verdict: race
// says: (`warpwise explain C0201`)
// says: two threads access one place and nothing orders them: where must one wait for the other? If either order is right
// not: the lanes of a warp
#include <cuda_runtime.h>

__device__ float sum_of(float* part) {
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  return part[0];
}

__global__ void softmax(const float* input, float* output, int N) {
  __shared__ float part[256];
  int i = threadIdx.x;
  float most = -INFINITY;
  for (int k = i; k < N; k += 256) most = fmaxf(most, input[k]);
  part[i] = most;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (i < s) part[i] = fmaxf(part[i], part[i + s]);
    __syncthreads();
  }
  most = part[0];
  // A barrier is missing here: thread 0 may store its sum before threads of its warp, and of others, have read this.
  float sum = 0;
  for (int k = i; k < N; k += 256) sum += expf(input[k] - most);
  part[i] = sum;
  __syncthreads();
  sum = sum_of(part);
  for (int k = i; k < N; k += 256) output[k] = expf(input[k] - most) / sum;
}

extern "C" void solve(const float* input, float* output, int N) {
  softmax<<<1, 256>>>(input, output, N);
  cudaDeviceSynchronize();
}
