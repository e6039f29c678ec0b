// clean
// Additions of floats are made in the order of blocks, on however many host threads these run.
#include <cuda_runtime.h>

__global__ void add(float* sum) { atomicAdd(sum, float(blockIdx.x % 2 == 0 ? 1 << 24 : 1)); }

int main() {
  float *sum, found[2];
  cudaMalloc(&sum, sizeof(float));
  for (float& result : found) {
    cudaMemset(sum, 0, sizeof(float));
    add<<<1000, 64>>>(sum);
    cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost);
  }
  cudaFree(sum);
  return found[0] != found[1];
}
