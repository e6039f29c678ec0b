int main() {
  int host[4] = {}, *p;
  cudaMalloc(&p, sizeof host);
  cudaError_t e = cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToHost);  // finds C0507
  cudaFree(p);
  return e == cudaSuccess;
}
