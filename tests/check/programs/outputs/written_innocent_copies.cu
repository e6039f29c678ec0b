// options: --with=outputs
// Fills and copies write, too.
// clean
int main() {
  char *filled, *copied, host[64] = {};
  cudaMalloc(&filled, 64);
  cudaMalloc(&copied, 64);
  cudaMemset(filled, 0, 64);
  cudaMemcpy(copied, host, 64, cudaMemcpyHostToDevice);
  cudaFree(filled);
  cudaFree(copied);
}
