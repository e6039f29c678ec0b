// Elements are not bytes.
int main() {
  float host[100] = {}, *p;
  cudaMalloc(&p, 100);
  cudaError_t e = cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);  // finds C0505
  cudaFree(p);
  return e == cudaSuccess;
}
