// An allocation that nobody frees.
int main() {
  int* p;
  cudaMalloc(&p, 400);  // finds C0501
  cudaMemset(p, 0, 400);
  cudaDeviceSynchronize();
}
