int main() {
  int host[4] = {}, *p;
  cudaMalloc(&p, sizeof host);
  cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
  cudaFree(p);
  cudaError_t e = cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);  // finds C0504
  return e == cudaSuccess;
}
