// clean: memory of cudaMallocAsync may be freed with cudaFree
int main() {
  int* p;
  cudaMallocAsync(&p, 100, 0);
  cudaStreamSynchronize(0);
  cudaFree(p);
}
