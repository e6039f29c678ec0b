// clean
__global__ void count(int* n) { atomicAdd(n, 1); }
int main() {
  int* n;
  cudaMalloc(&n, 4);
  cudaMemset(n, 0, 4);
  count<<<64, 32>>>(n);
  cudaDeviceSynchronize();
  cudaFree(n);
}
