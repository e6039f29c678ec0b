int main() {
  int* p;
  cudaMalloc(&p, 400);
  cudaError_t e = cudaFree(p + 1);  // finds C0503
  cudaFree(p);
  return e == cudaSuccess;
}
