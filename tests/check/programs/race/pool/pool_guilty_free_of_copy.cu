// A copy of one stream takes from what another one frees.
int main() {
  int *x, *host;
  cudaStream_t a, b;
  cudaStreamCreate(&a), cudaStreamCreate(&b);
  cudaMallocHost(&host, 32 * sizeof(int));
  cudaMallocAsync(&x, 32 * sizeof(int), a);
  cudaMemsetAsync(x, 0, 32 * sizeof(int), a);
  cudaStreamSynchronize(a);
  cudaMemcpyAsync(host, x, 32 * sizeof(int), cudaMemcpyDeviceToHost, b);  // finds C0204
  cudaFreeAsync(x, a);                                                   // finds C0204
  cudaDeviceSynchronize();
  cudaFreeHost(host), cudaStreamDestroy(a), cudaStreamDestroy(b);
}
