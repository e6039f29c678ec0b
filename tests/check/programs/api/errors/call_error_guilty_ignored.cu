int main() {
  int* p = nullptr;
  cudaMalloc(&p, 1ull << 60);  // finds C0509
  cudaFree(p);
}
