// verdict: barrier
// why: the barrier stands in a branch that depends on the data
#include <cuda_runtime.h>

constexpr int kBlock = 512;

__device__ void exchange(float& a, float& b, bool ascending) {
  if (ascending ? a > b : a < b) {
    float c = a;
    a = b;
    b = c;
  }
}

// Steps of runs from `first_run` to `last_run` whose partners lie in one block of kBlock numbers.
__global__ void steps_in_block(float* work, int first_run, int last_run) {
  __shared__ float part[kBlock];
  int t = threadIdx.x, base = blockIdx.x * kBlock;
  part[t] = work[base + t];
  part[t + kBlock / 2] = work[base + t + kBlock / 2];
  __syncthreads();
  for (int run = first_run; run <= last_run; run *= 2)
    for (int distance = min(run, kBlock) / 2; distance > 0; distance /= 2) {
      int i = 2 * t - (t & (distance - 1));
      bool ascending = ((base + i) & run) == 0;
      if (ascending ? part[i] > part[i + distance] : part[i] < part[i + distance]) {
        exchange(part[i], part[i + distance], ascending);
        __syncthreads();
      }
    }
  work[base + t] = part[t];
  work[base + t + kBlock / 2] = part[t + kBlock / 2];
}

__global__ void step(float* work, int run, int distance) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int i = 2 * t - (t & (distance - 1));
  exchange(work[i], work[i + distance], (i & run) == 0);
}

__global__ void pad(const float* data, float* work, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  work[i] = i < N ? data[i] : INFINITY;
}

extern "C" void solve(float* data, int N) {
  int size = kBlock;
  while (size < N) size *= 2;
  int blocks = size / kBlock;
  float* work;
  cudaMalloc(&work, size * sizeof(float));
  pad<<<blocks, kBlock>>>(data, work, N);
  steps_in_block<<<blocks, kBlock / 2>>>(work, 2, kBlock);
  for (int run = 2 * kBlock; run <= size; run *= 2) {
    for (int distance = run / 2; distance >= kBlock; distance /= 2) step<<<blocks, kBlock / 2>>>(work, run, distance);
    steps_in_block<<<blocks, kBlock / 2>>>(work, run, run);
  }
  cudaMemcpy(data, work, N * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(work);
}
