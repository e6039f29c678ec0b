// clean: two addresses of the device go with either direction
int main() {
  int *p, *q;
  cudaMalloc(&p, 64);
  cudaMalloc(&q, 64);
  cudaMemset(p, 0, 64);
  cudaMemcpy(q, p, 64, cudaMemcpyDeviceToHost);
  cudaFree(p);
  cudaFree(q);
}
