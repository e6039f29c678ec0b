// A barrier for more threads than will ever come.
__global__ void k(int* x) {
  asm volatile("bar.sync 1, 96;" ::: "memory");  // finds C0407
  x[threadIdx.x] = 1;
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  k<<<1, 64>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e == cudaErrorInvalidValue;
}
