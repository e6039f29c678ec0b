// Read-only weights that are only read, by a kernel that also writes elsewhere.
// clean
#include "annotations.h"
__global__ void infer(const float* w, float* out) { out[threadIdx.x] = w[threadIdx.x] * 2; }
int main() {
  float *w, *out;
  cudaMalloc(&w, 128);
  cudaMalloc(&out, 128);
  cudaMemset(w, 0, 128);
  permit(w, NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
  infer<<<1, 32>>>(w, out);
  cudaMemset(w, 1, 128);  // kernels are forbidden, not the host
  infer<<<1, 32>>>(w, out);
  cudaDeviceSynchronize();
  cudaFree(w);
  cudaFree(out);
}
