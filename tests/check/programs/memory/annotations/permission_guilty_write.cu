// Weights that are not to change are changed by a kernel that was meant for other ones.
#include "annotations.h"
__global__ void update(float* w) {
  float old = w[threadIdx.x];
  w[threadIdx.x] = old * 0.5f;  // finds C0117
}
int main() {
  float* w;
  cudaMalloc(&w, 128);
  cudaMemset(w, 0, 128);
  update<<<1, 32>>>(w);
  permit(w, NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
  update<<<1, 32>>>(w);
  cudaDeviceSynchronize();
  cudaFree(w);
}
