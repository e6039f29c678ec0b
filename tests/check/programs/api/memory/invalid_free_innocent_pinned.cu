// clean
int main() {
  int* p;
  cudaHostAlloc(&p, 100, cudaHostAllocMapped);
  cudaFreeHost(p);
}
