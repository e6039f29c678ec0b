// clean
#include <cstdio>
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }
int main() {
  int *x, *y;
  cudaMallocManaged(&x, 128);
  cudaMallocManaged(&y, 128);
  fill<<<1, 32>>>(x);
  for (int i = 0; i < 32; ++i) y[i] = i;
  std::printf("%d\n", y[31]);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
