// An allocation that is never freed.
int main() {
  int* p;
  cudaMalloc(&p, 400);  // finds C0501
  cudaMemset(p, 0, 400);
  cudaDeviceSynchronize();
}
