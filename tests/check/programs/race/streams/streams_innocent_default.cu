// clean: the default stream waits for the others and they for it
__global__ void write(int* x) { x[threadIdx.x] = 1; }
__global__ void read(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }
int main() {
  int *x, *y;
  cudaStream_t a;
  cudaMalloc(&x, 128);
  cudaMalloc(&y, 128);
  cudaStreamCreate(&a);
  write<<<1, 32, 0, a>>>(x);
  read<<<1, 32>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
