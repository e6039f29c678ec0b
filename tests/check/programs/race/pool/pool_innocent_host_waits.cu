// The host waits between the streams: for the allocation, and for the kernel before the free.
// clean
__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  int* x;
  cudaMallocAsync(&x, 32 * sizeof(int), a);
  cudaStreamSynchronize(a);
  fill<<<1, 32, 0, b>>>(x);
  cudaStreamSynchronize(b);
  cudaFreeAsync(x, a);
  cudaStreamSynchronize(a);
  cudaStreamDestroy(a), cudaStreamDestroy(b);
}
