// clean
// A host function of the stream runs behind the kernel.
#include <cstdio>
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }
void look(void* x) { std::printf("%d\n", static_cast<int*>(x)[31]); }
int main() {
  int* x;
  cudaMallocManaged(&x, 128);
  fill<<<1, 32>>>(x);
  cudaLaunchHostFunc(0, look, x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
