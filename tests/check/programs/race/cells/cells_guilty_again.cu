// Blocks that have run alone in their own parts for long, until the last one comes into the first one's.
#include <cuda_runtime.h>

__global__ void parts(int* out, int blocks) {
  const int part = blockIdx.x == blocks - 1 ? 0 : blockIdx.x;
  for (int round = 0; round < 3; ++round) {
    out[part * 64 + threadIdx.x] += round + 1;  // finds C0203
    __syncthreads();
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 500 * 64 * sizeof(int));
  cudaMemset(out, 0, 500 * 64 * sizeof(int));
  parts<<<500, 64>>>(out, 500);
  cudaDeviceSynchronize();
  cudaFree(out);
}
