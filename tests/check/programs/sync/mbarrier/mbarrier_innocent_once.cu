// clean: all arrive and wait
#include <cuda_awbarrier_primitives.h>
__global__ void k(int* out) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, 96);
  __syncthreads();
  __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  out[threadIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 96>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
