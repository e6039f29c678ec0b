// clean: the host waits for one stream before it gives work to the other; an event is asked until it has happened
__global__ void write(int* x) { x[threadIdx.x] = 1; }
__global__ void read(const int* x, int* y) { y[threadIdx.x] += x[threadIdx.x]; }
int main() {
  int *x, *y;
  cudaStream_t a, b;
  cudaEvent_t e;
  cudaMalloc(&x, 128);
  cudaMalloc(&y, 128);
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreate(&e);
  cudaMemsetAsync(y, 0, 128, b);
  write<<<1, 32, 0, a>>>(x);
  cudaStreamSynchronize(a);
  read<<<1, 32, 0, b>>>(x, y);
  cudaEventRecord(e, b);
  while (cudaEventQuery(e) == cudaErrorNotReady) {
  }
  write<<<1, 32, 0, a>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
