// clean
int main() {
  int *p, *q;
  cudaMalloc(&p, 64);
  cudaMalloc(&q, 64);
  cudaFree(q);
  cudaFree(p);
}
