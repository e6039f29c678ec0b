// The host function stands before the kernel in the stream: that it has run says nothing of the kernel.
#include <cstdio>
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }  // finds C0205
void begin(void* x) { std::printf("begin\n"); }
int main() {
  int* x;
  cudaMallocManaged(&x, 128);
  cudaLaunchHostFunc(0, begin, x);
  fill<<<1, 32>>>(x);
  int early = x[31];  // finds C0205
  cudaDeviceSynchronize();
  std::printf("%d %d\n", early, x[31]);
  cudaFree(x);
}
