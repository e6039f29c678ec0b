// As nvcc builds it, where what fails is in a function without lines.
// options: --compiler=nvcc
// In a function that each thread calls; one of a later block fails, in the second launch alone.
#include <cassert>
#include <cstdio>
__device__ float checked_root(float x) {
  assert(x >= 0 && "the sum of squares is negative");  // finds C0701
  return sqrtf(x);
}
__global__ void roots(const float* in, float* out, float shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = checked_root(in[i] - shift);
}
int main() {
  float *in, *out, host[128];
  for (int i = 0; i < 128; ++i) host[i] = i < 100 ? 4 : 1;
  cudaMalloc(&in, 512);
  cudaMalloc(&out, 512);
  cudaMemcpy(in, host, 512, cudaMemcpyHostToDevice);
  for (float shift : {0.0f, 2.0f}) {
    roots<<<4, 32>>>(in, out, shift);
    if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
  }
  cudaFree(in);
  cudaFree(out);
}
