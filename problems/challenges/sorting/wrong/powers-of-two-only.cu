// verdict: out-of-bounds
// why: sorts the data itself, as if N were a power of two
#include <cuda_runtime.h>

__global__ void pad(const float* data, float* work, int N, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) work[i] = i < N ? data[i] : INFINITY;
}

// Runs of `run` numbers are sorted, alternately up and down; partners are `distance` apart.
__global__ void step(float* work, int size, int run, int distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ distance;
  if (i >= size || partner < i) return;
  float a = work[i], b = work[partner];
  bool ascending = (i & run) == 0;
  if (ascending ? a > b : a < b) {
    work[i] = b;
    work[partner] = a;
  }
}

extern "C" void solve(float* data, int N) {
  int size = 1;
  while (size < N) size *= 2;
  float* work;
  work = data;
  int blocks = (size + 255) / 256;

  for (int run = 2; run <= size; run *= 2)
    for (int distance = run / 2; distance > 0; distance /= 2) step<<<blocks, 256>>>(work, size, run, distance);


}
