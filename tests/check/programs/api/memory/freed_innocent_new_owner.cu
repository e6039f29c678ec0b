// clean: another allocation has the addresses now
int main() {
  int host[16] = {}, *p, *q;
  cudaMalloc(&p, 4096);
  cudaFree(p);
  cudaMalloc(&q, 4096);
  cudaMemcpy(q, host, sizeof host, cudaMemcpyHostToDevice);
  cudaFree(q);
}
