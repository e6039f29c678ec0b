// clean
int main() {
  float host[100] = {}, *p;
  cudaMalloc(&p, sizeof host);
  cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(p + 99, 0, 4);
  cudaFree(p);
}
