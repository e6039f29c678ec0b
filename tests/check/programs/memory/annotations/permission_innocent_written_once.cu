// Write-only memory counts as written once kernels have written it, and its neighbours are free.
// clean
#include "annotations.h"
__global__ void fill(int* log, int* other) { log[threadIdx.x] = 1, other[threadIdx.x] += 2; }
__global__ void sum(const int* log, int* total) { atomicAdd(total, log[threadIdx.x]); }
int main() {
  int *log, *other;
  cudaMalloc(&log, 128);
  cudaMalloc(&other, 128);
  cudaMemset(other, 0, 128);
  permit(log, NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE);
  fill<<<1, 32>>>(log, other);
  permit(log, NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
  permit(other, NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC);
  sum<<<1, 32>>>(log, other);
  cudaDeviceSynchronize();
  cudaFree(log);
  cudaFree(other);
}
