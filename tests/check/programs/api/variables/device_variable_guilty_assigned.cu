// Host code assigns to variables of the device, as it would to its own.
// finds C0513 anywhere
// also by nvcc
// says: kernels do not see what host code writes to the device variables `factor`, `offsets`
// says: cudaMemcpyToSymbol
#include <cstdio>
__device__ int factor = 2;
__constant__ float offsets[3] = {1, 2, 3};
__global__ void scale(float* x) { x[threadIdx.x] = x[threadIdx.x] * factor + offsets[threadIdx.x % 3]; }
int main() {
  float* x;
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  factor = 5;
  offsets[1] = 7;
  scale<<<1, 32>>>(x);
  if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
  cudaFree(x);
}
