// A pointer into the middle is as dead.
int main() {
  int host[4] = {}, *p;
  cudaMalloc(&p, 4096);
  int* q = p + 100;
  cudaFree(p);
  cudaError_t e = cudaMemcpy(q, host, sizeof host, cudaMemcpyHostToDevice);  // finds C0504
  return e == cudaSuccess;
}
