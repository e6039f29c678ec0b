// It is used after it has been invalidated.
#include <cuda_awbarrier_primitives.h>
__global__ void k() {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) {
    __mbarrier_init(&barrier, 1);
    __mbarrier_inval(&barrier);
    __mbarrier_arrive(&barrier);  // finds C0406
  }
}
int main() {
  k<<<1, 32>>>();
  return cudaDeviceSynchronize() == cudaErrorInvalidValue;
}
