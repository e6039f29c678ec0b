int main() {
  static int host[64];
  cudaError_t e = cudaMemset(host, 0, sizeof host);  // finds C0506
  return e == cudaSuccess;
}
