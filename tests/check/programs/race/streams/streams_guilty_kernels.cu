__global__ void write(int* x) { x[threadIdx.x] = 1; }  // finds C0204
__global__ void read(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }  // finds C0204
int main() {
  int *x, *y;
  cudaStream_t a, b;
  cudaMalloc(&x, 128);
  cudaMalloc(&y, 128);
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  write<<<1, 32, 0, a>>>(x);
  read<<<1, 32, 0, b>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
