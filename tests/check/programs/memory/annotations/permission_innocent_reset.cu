// The permission comes behind one launch and is taken back before the next, without a wait in between.
// clean
#include "annotations.h"
__global__ void update(float* w) { w[threadIdx.x] += 1; }
__global__ void infer(const float* w, float* out) { out[threadIdx.x] = w[threadIdx.x] * 2; }
int main() {
  float *w, *out;
  cudaMalloc(&w, 128);
  cudaMalloc(&out, 128);
  cudaMemset(w, 0, 128);
  update<<<1, 32>>>(w);
  permit(w, NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
  infer<<<1, 32>>>(w, out);
  permit(w, NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET);
  update<<<1, 32>>>(w);
  cudaDeviceSynchronize();
  cudaFree(w);
  cudaFree(out);
}
