// The default stream is in order with all blocking ones.
// clean
__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
  cudaStream_t a, b;
  cudaStreamCreate(&a), cudaStreamCreate(&b);
  int* x;
  cudaMallocAsync(&x, 32 * sizeof(int), 0);
  fill<<<1, 32, 0, a>>>(x);
  cudaMemsetAsync(x, 0, 32 * sizeof(int), 0);
  fill<<<1, 32, 0, b>>>(x);
  cudaFreeAsync(x, 0);
  cudaDeviceSynchronize();
  cudaStreamDestroy(a), cudaStreamDestroy(b);
}
