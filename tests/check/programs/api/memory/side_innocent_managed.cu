// clean: managed and pinned memory is on both sides
int main() {
  int *m, *h, *d;
  cudaMallocManaged(&m, 64);
  cudaMallocHost(&h, 64);
  cudaMalloc(&d, 64);
  cudaMemset(m, 0, 64);
  cudaMemcpy(h, m, 64, cudaMemcpyDeviceToHost);
  cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice);
  cudaMemcpy(m, d, 64, cudaMemcpyDeviceToDevice);
  cudaFree(m);
  cudaFreeHost(h);
  cudaFree(d);
}
