// The last row ends past the allocation.
int main() {
  char host[64 * 9], *p;
  cudaMalloc(&p, 64 * 8);
  cudaError_t e = cudaMemcpy2D(host, 64, p, 64, 64, 9, cudaMemcpyDeviceToHost);  // finds C0505
  cudaFree(p);
  return e == cudaSuccess;
}
