// Destination and source exchanged.
int main() {
  int host[4] = {}, *p;
  cudaMalloc(&p, sizeof host);
  cudaError_t e = cudaMemcpy(host, p, sizeof host, cudaMemcpyHostToDevice);  // finds C0506
  cudaFree(p);
  return e == cudaSuccess;
}
