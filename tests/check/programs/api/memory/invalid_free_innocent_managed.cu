// clean: cudaFree frees managed and pitched memory, too
int main() {
  int *p, *q;
  size_t pitch;
  cudaMallocManaged(&p, 100);
  cudaMallocPitch(&q, &pitch, 100, 10);
  cudaFree(p);
  cudaFree(q);
}
