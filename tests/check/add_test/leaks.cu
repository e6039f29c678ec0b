int main() {
  int* p;
  return cudaMalloc(&p, 4) != cudaSuccess;
}
