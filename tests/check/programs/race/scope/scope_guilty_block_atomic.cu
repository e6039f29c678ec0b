__global__ void count(int* n) { atomicAdd_block(n, 1); }  // finds C0207
int main() {
  int* n;
  cudaMalloc(&n, 4);
  cudaMemset(n, 0, 4);
  count<<<8, 1>>>(n);
  cudaDeviceSynchronize();
  cudaFree(n);
}
