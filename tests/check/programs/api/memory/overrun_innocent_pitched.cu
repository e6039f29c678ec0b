// clean: the last row may end before its pitch does
int main() {
  char host[10 * 100] = {}, *p;
  cudaMalloc(&p, 9 * 128 + 100);
  cudaMemcpy2D(p, 128, host, 100, 100, 10, cudaMemcpyHostToDevice);
  cudaFree(p);
}
