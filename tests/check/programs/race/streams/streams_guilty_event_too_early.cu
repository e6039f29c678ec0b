// The event is recorded before the kernel whose end it is to mark.
__global__ void write(int* x) { x[threadIdx.x] = 1; }  // finds C0204
__global__ void read(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }  // finds C0204
int main() {
  int *x, *y;
  cudaStream_t a, b;
  cudaEvent_t e;
  cudaMalloc(&x, 128);
  cudaMalloc(&y, 128);
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaEventCreate(&e);
  cudaEventRecord(e, a);
  write<<<1, 32, 0, a>>>(x);
  cudaStreamWaitEvent(b, e, 0);
  read<<<1, 32, 0, b>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
