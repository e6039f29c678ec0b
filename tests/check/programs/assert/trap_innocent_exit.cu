// clean: a thread that ends by itself ends no kernel
__global__ void k(int* x, int n) {
  int i = threadIdx.x;
  if (i >= n) asm volatile("exit;");
  x[i] = i;
}
int main() {
  int* x;
  cudaMalloc(&x, 100);
  k<<<1, 32>>>(x, 25);
  cudaDeviceSynchronize();
  cudaFree(x);
}
