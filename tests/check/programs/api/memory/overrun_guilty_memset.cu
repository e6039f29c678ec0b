int main() {
  int* p;
  cudaMalloc(&p, 256);
  cudaError_t e = cudaMemset(p + 32, 0, 256);  // finds C0505
  cudaFree(p);
  return e == cudaSuccess;
}
