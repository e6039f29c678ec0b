int main() {
  int a[4] = {}, b[4];
  cudaError_t e = cudaMemcpy(b, a, sizeof a, cudaMemcpyDeviceToHost);  // finds C0506
  return e == cudaSuccess;
}
