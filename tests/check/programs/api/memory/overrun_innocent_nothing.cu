// clean: nothing is copied
int main() {
  float host[1] = {}, *p;
  cudaMalloc(&p, 4);
  cudaMemcpy(p + 1, host, 0, cudaMemcpyHostToDevice);
  cudaFree(p);
}
