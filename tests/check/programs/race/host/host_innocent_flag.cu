// clean
// The host polls a flag that the kernel raises behind its work.
#include <cstdio>
__global__ void work(int* x, volatile int* flag) {
  x[threadIdx.x] = threadIdx.x;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}
int main() {
  int* x;
  volatile int* flag;
  cudaMalloc(&x, 128);
  cudaHostAlloc((void**)&flag, sizeof(int), cudaHostAllocMapped);
  *flag = 0;
  work<<<1, 32>>>(x, flag);
  while (*flag == 0) {}
  std::printf("%d\n", *flag);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFreeHost((void*)flag);
}
