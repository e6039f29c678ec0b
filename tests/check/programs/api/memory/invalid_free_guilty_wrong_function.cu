int main() {
  int* p;
  cudaMallocHost(&p, 100);
  cudaError_t e = cudaFree(p);  // finds C0503
  cudaFreeHost(p);
  return e == cudaSuccess;
}
