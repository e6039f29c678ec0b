// Two threads free what one of them has allocated.
#include <cstdlib>
__global__ void k() {
  __shared__ int* p;
  if (threadIdx.x == 0) p = (int*)malloc(16);
  __syncthreads();
  if (threadIdx.x < 2) free(p);  // finds C0112
}
int main() {
  k<<<1, 32>>>();
  return cudaDeviceSynchronize() == cudaErrorInvalidValue;
}
