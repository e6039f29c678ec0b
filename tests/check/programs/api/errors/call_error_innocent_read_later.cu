// clean: cudaGetLastError tells of it
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 1ull << 60);
  return cudaGetLastError() == cudaSuccess;
}
