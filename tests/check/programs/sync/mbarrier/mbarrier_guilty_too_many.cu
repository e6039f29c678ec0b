// More threads arrive in a phase than it expects.
#include <cuda_awbarrier_primitives.h>
__global__ void k() {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) {
    __mbarrier_init(&barrier, 0);  // finds C0406
    __mbarrier_arrive(&barrier);
  }
}
int main() {
  k<<<1, 32>>>();
  return cudaDeviceSynchronize() == cudaErrorInvalidValue;
}
