int main() {
  int host[64], *out;
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);  // finds C0304
  cudaFree(out);
}
