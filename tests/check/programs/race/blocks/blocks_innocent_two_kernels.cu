// clean: kernels of one stream are in order
__global__ void first(int* x) { x[blockIdx.x] = blockIdx.x; }
__global__ void second(const int* x, int* y) { y[blockIdx.x] = x[63 - blockIdx.x]; }
int main() {
  int *x, *y;
  cudaMalloc(&x, 256);
  cudaMalloc(&y, 256);
  first<<<64, 1>>>(x);
  second<<<64, 1>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
