// clean: freeing null does nothing
int main() {
  int* p;
  cudaMalloc(&p, 400);
  cudaFree(p);
  p = nullptr;
  cudaFree(p);
  cudaFreeHost(nullptr);
}
