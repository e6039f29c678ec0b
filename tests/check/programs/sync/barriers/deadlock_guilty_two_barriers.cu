// Two halves of the block wait for each other at numbered barriers.
__global__ void k(int* x) {
  if (threadIdx.x < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");  // finds C0407
    x[0] = 1;
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
    x[1] = 1;
  }
}
int main() {
  int* x;
  cudaMalloc(&x, 8);
  k<<<1, 64>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e == cudaErrorInvalidValue;
}
