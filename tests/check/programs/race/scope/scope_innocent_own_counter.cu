// clean: each block counts for itself
__global__ void count(int* n) { atomicAdd_block(&n[blockIdx.x], 1); }
int main() {
  int* n;
  cudaMalloc(&n, 32);
  cudaMemset(n, 0, 32);
  count<<<8, 32>>>(n);
  cudaDeviceSynchronize();
  cudaFree(n);
}
