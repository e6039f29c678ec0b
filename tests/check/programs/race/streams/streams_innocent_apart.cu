// clean: two halves
__global__ void write(int* x) { x[threadIdx.x] = 1; }
int main() {
  int* x;
  cudaStream_t a, b;
  cudaMalloc(&x, 256);
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  write<<<1, 32, 0, a>>>(x);
  write<<<1, 32, 0, b>>>(x + 32);
  cudaDeviceSynchronize();
  cudaFree(x);
}
