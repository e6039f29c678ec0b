// clean: cudaMemcpyDefault finds the sides by itself
int main() {
  int host[4] = {}, *p;
  cudaMalloc(&p, sizeof host);
  cudaMemcpy(p, host, sizeof host, cudaMemcpyDefault);
  cudaMemcpy(host, p, sizeof host, cudaMemcpyDefault);
  cudaFree(p);
}
