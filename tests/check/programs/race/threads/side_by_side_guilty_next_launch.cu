// What blocks on several host threads have done is there to be compared with another stream's work.
#include <cuda_runtime.h>

__global__ void fill(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // finds C0204
}

__global__ void twice(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2 * x[i];  // finds C0204
}

int main() {
  constexpr int kCount = 256 * 256;
  float *x, *y;
  cudaMalloc(&x, kCount * sizeof(float));
  cudaMalloc(&y, kCount * sizeof(float));
  cudaStream_t one, other;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  fill<<<256, 256, 0, one>>>(x);
  twice<<<256, 256, 0, other>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
