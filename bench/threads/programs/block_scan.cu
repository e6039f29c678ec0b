// Inclusive sums within blocks of 1024 numbers, through shared memory with a barrier between two steps; 2^24 numbers, 6
// times. Prints the last sum.
#include <cstdio>

__global__ void scan(const int* x, int* sums) {
  __shared__ int steps[1024];
  const int thread = threadIdx.x, i = blockIdx.x * 1024 + thread;
  steps[thread] = x[i];
  for (int distance = 1; distance < 1024; distance *= 2) {
    __syncthreads();
    const int before = thread >= distance ? steps[thread - distance] : 0;
    __syncthreads();
    steps[thread] += before;
  }
  sums[i] = steps[thread];
}

__global__ void fill(int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i % 3;
}

int main() {
  constexpr int kCount = 1 << 24;
  int *x, *sums, last;
  cudaMalloc(&x, kCount * sizeof(int));
  cudaMalloc(&sums, kCount * sizeof(int));
  fill<<<kCount / 256, 256>>>(x);
  for (int turn = 0; turn < 60; ++turn) scan<<<kCount / 1024, 1024>>>(x, sums);
  cudaMemcpy(&last, &sums[kCount - 1], sizeof last, cudaMemcpyDeviceToHost);
  printf("%d\n", last);
}
