// Followed through a copy on the device.
int main() {
  int host[64], *a, *b;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMemset(b, 0, sizeof host);
  cudaMemcpy(b, a, sizeof host, cudaMemcpyDeviceToDevice);
  cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);  // finds C0304
  cudaFree(a);
  cudaFree(b);
}
