__global__ void count(int* n) {
  if (threadIdx.x == 0) *n = *n + 1;  // finds C0203
}
int main() {
  int* n;
  cudaMalloc(&n, 4);
  cudaMemset(n, 0, 4);
  count<<<64, 32>>>(n);
  cudaDeviceSynchronize();
  cudaFree(n);
}
