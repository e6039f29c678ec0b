// Values go to variables of the device by copies; one is managed, one is read by the host alone.
// clean
// also by nvcc
#include <cstdio>
__device__ int factor = 2;
__constant__ float offsets[3] = {1, 2, 3};
__managed__ int shared_by_both = 1;
static int own = 4;
__global__ void scale(float* x) {
  x[threadIdx.x] = x[threadIdx.x] * factor + offsets[threadIdx.x % 3] + shared_by_both;
}
int main() {
  float *x, host[3] = {4, 5, 6};
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  cudaMemcpyToSymbol(factor, &own, sizeof own);
  cudaMemcpyToSymbol(offsets, host, sizeof host);
  own = 6;
  shared_by_both = 3;
  scale<<<1, 32>>>(x);
  if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
  cudaFree(x);
}
