int main() {
  int* p;
  cudaMalloc(&p, 400);
  cudaFree(p);
  cudaFree(p);  // finds C0502
  return cudaGetLastError() == cudaSuccess;  // the error is read
}
