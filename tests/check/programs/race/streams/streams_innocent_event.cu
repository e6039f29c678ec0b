// clean
__global__ void write(int* x) { x[threadIdx.x] = 1; }
__global__ void read(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }
int main() {
  int *x, *y;
  cudaStream_t a, b;
  cudaEvent_t e;
  cudaMalloc(&x, 128);
  cudaMalloc(&y, 128);
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaEventCreate(&e);
  write<<<1, 32, 0, a>>>(x);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  read<<<1, 32, 0, b>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
