__constant__ float weights[8];
int main() {
  float host[16] = {};
  cudaError_t e = cudaMemcpyToSymbol(weights, host, sizeof host);  // finds C0505
  return e == cudaSuccess;
}
