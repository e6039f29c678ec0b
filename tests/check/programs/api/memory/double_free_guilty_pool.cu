// Each stream frees what it has worked with, and both have worked with the same.
int main() {
  cudaStream_t a, b;
  cudaStreamCreate(&a), cudaStreamCreate(&b);
  void* x;
  cudaMallocAsync(&x, 256, a);
  cudaFreeAsync(x, a);
  cudaError_t error = cudaFreeAsync(x, b);  // finds C0502
  cudaDeviceSynchronize();
  cudaStreamDestroy(a), cudaStreamDestroy(b);
  return error == cudaSuccess;
}
