int main() {
  int host[4] = {}, *p;
  cudaMalloc(&p, sizeof host);
  cudaError_t e = cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToHost, 0);  // finds C0507
  cudaFree(p);
  return e == cudaSuccess;
}
