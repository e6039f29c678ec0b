// A loop of the host fills an array of constants, of which kernels have their own.
// finds C0513 anywhere
// also by nvcc
// says: kernels do not see what host code writes to the device variable `weights`
// says: cudaMemcpyToSymbol
#include <cstdio>
struct Weight {
  float left, right;
};
__constant__ Weight weights[32];
__global__ void blend(float* x) { x[threadIdx.x] = weights[threadIdx.x].left + weights[threadIdx.x].right; }
int main() {
  float* x;
  cudaMalloc(&x, 128);
  for (int i = 0; i < 32; ++i) weights[i] = {float(i), float(32 - i)};
  blend<<<1, 32>>>(x);
  if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
  cudaFree(x);
}
