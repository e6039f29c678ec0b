// clean: the host writes constant memory between kernels
__constant__ int factor;
__global__ void k(int* y) { y[threadIdx.x] = threadIdx.x * factor; }
int main() {
  int* y;
  cudaMalloc(&y, 128);
  for (int f = 1; f < 4; ++f) {
    cudaMemcpyToSymbol(factor, &f, sizeof f);
    k<<<1, 32>>>(y);
  }
  cudaDeviceSynchronize();
  cudaFree(y);
}
