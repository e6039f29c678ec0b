// clean: cudaMemcpyDefault leaves the direction to the pointers
int main() {
  int *pinned, *p;
  cudaMallocHost(&pinned, 64);
  cudaMalloc(&p, 64);
  for (int i = 0; i < 16; ++i) pinned[i] = i;
  cudaMemcpy(p, pinned, 64, cudaMemcpyDefault);
  cudaMemcpy(pinned, p, 64, cudaMemcpyDefault);
  cudaFree(p);
  cudaFreeHost(pinned);
}
