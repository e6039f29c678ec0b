// clean
int main() {
  int *p, *q;
  cudaMalloc(&p, 400);
  cudaMallocAsync(&q, 400, 0);
  cudaFreeAsync(q, 0);
  cudaFree(p);
}
