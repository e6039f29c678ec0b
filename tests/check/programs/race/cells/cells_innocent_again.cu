// Blocks that keep to their own parts, launch after launch: who was there before is over.
// clean
#include <cuda_runtime.h>

__global__ void parts(int* out) {
  const int part = blockIdx.x;
  for (int round = 0; round < 3; ++round) {
    out[part * 64 + threadIdx.x] += round;
    __syncthreads();
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 500 * 64 * sizeof(int));
  cudaMemset(out, 0, 500 * 64 * sizeof(int));
  for (int launch = 0; launch < 3; ++launch) parts<<<500, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
