// The host does not wait before it reads the sum: the commonest mistake with managed memory.
#include <cstdio>
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }  // finds C0205
int main() {
  int *x, sum = 0;
  cudaMallocManaged(&x, 128);
  fill<<<1, 32>>>(x);
  for (int i = 0; i < 32; ++i) sum += x[i];  // finds C0205
  std::printf("%d\n", sum);
  cudaDeviceSynchronize();
  cudaFree(x);
}
