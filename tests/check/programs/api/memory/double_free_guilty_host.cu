int main() {
  int* p;
  cudaMallocHost(&p, 64);
  cudaFreeHost(p);
  cudaError_t e = cudaFreeHost(p);  // finds C0502
  return e == cudaSuccess;
}
