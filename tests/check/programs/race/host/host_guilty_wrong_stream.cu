// Waits, but for the other stream.
#include <cstdio>
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }  // finds C0205
int main() {
  int* x;
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaHostAlloc(&x, 128, cudaHostAllocMapped);
  fill<<<1, 32, 0, a>>>(x);
  cudaStreamSynchronize(b);
  std::printf("%d\n", x[31]);  // finds C0205
  cudaDeviceSynchronize();
  cudaFreeHost(x);
}
