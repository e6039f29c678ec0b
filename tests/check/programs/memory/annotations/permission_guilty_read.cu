// An output that kernels only write is read by one.
#include "annotations.h"
__global__ void append(int* log, int* seen) {
  seen[threadIdx.x] = log[threadIdx.x] + 1;  // finds C0117
  log[threadIdx.x] = 1;
}
int main() {
  int *log, *seen;
  cudaMalloc(&log, 128);
  cudaMalloc(&seen, 128);
  cudaMemset(log, 0, 128);
  permit(log, NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE);
  append<<<1, 32>>>(log, seen);
  cudaDeviceSynchronize();
  cudaFree(log);
  cudaFree(seen);
}
