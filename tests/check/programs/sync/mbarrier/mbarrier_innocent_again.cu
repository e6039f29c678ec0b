// clean: invalidated, then initialised for another count
#include <cuda_awbarrier_primitives.h>
__global__ void k(int* out) {
  __shared__ __mbarrier_t barrier;
  for (int n = 64; n >= 32; n -= 32) {
    if (threadIdx.x == 0) __mbarrier_init(&barrier, n);
    __syncthreads();
    if (threadIdx.x < n) {
      __mbarrier_token_t token = __mbarrier_arrive(&barrier);
      while (!__mbarrier_test_wait(&barrier, token)) {
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) __mbarrier_inval(&barrier);
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
