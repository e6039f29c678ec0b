// clean
int main() {
  int host[16] = {}, *p;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMallocAsync(&p, sizeof host, s);
  cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, s);
  cudaFreeAsync(p, s);
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
}
