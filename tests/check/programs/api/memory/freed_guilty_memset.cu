int main() {
  int *p, *keep;
  cudaMalloc(&p, 1 << 20);
  cudaMalloc(&keep, 64);
  cudaFree(p);
  cudaError_t e = cudaMemset(p, 0, 100);  // finds C0504
  cudaFree(keep);
  return e == cudaSuccess;
}
