// One buffer for two copies: the second batch is written into it while the first may still be on its way.
int main() {
  int *x, *host;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&x, 256);
  cudaMallocHost(&host, 128);
  for (int batch = 0; batch < 2; ++batch) {
    for (int i = 0; i < 32; ++i) host[i] = batch;  // finds C0205
    cudaMemcpyAsync(x + 32 * batch, host, 128, cudaMemcpyHostToDevice, stream);  // finds C0205
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFreeHost(host);
}
