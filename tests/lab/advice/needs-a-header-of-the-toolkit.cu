// problem: challenges/reduction
// verdict: does-not-compile
// says: `cub/cub.cuh` comes with NVIDIA's CUDA toolkit
// not: file not found
// not: start with the first message
#include <cub/cub.cuh>

__global__ void sum(const float* input, float* output, int N) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  float mine = 0;
  for (int i = threadIdx.x; i < N; i += 256) mine += input[i];
  mine = Reduce(storage).Sum(mine);
  if (threadIdx.x == 0) *output = mine;
}

extern "C" void solve(const float* input, float* output, int N) {
  sum<<<1, 256>>>(input, output, N);
  cudaDeviceSynchronize();
}
