int main() {
  int host[4] = {}, *p;
  cudaMalloc(&p, sizeof host);
  cudaMemset(p, 0, sizeof host);
  cudaError_t e = cudaMemcpy(host, p, sizeof host, cudaMemcpyHostToHost);  // finds C0507
  cudaFree(p);
  return e == cudaSuccess;
}
