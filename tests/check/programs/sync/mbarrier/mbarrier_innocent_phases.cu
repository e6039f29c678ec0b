// clean: two phases of all threads
#include <cuda_awbarrier_primitives.h>
__global__ void k(int* x) {
  __shared__ __mbarrier_t barrier;
  __shared__ int s[64];
  if (threadIdx.x == 0) __mbarrier_init(&barrier, 64);
  __syncthreads();
  for (int i = 0; i < 2; ++i) {
    s[threadIdx.x] = i;
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    x[threadIdx.x] = s[63 - threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.x == 0) __mbarrier_inval(&barrier);
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  k<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
