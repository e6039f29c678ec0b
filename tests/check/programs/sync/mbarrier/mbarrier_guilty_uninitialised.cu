// An mbarrier that was not initialised.
#include <cuda_awbarrier_primitives.h>
__global__ void k() {
  __shared__ __mbarrier_t barrier;
  __mbarrier_arrive(&barrier);  // finds C0406
}
int main() {
  k<<<1, 32>>>();
  return cudaDeviceSynchronize() == cudaErrorInvalidValue;
}
