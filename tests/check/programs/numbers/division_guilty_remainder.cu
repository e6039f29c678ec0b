// options: --with=numbers
// A table without entries.
__global__ void k(float* x, int* n) { x[threadIdx.x] = threadIdx.x % (unsigned)n[threadIdx.x]; }  // finds C0601
int main() {
  float* x;
  int* n;
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  cudaMalloc(&n, 128);
  cudaMemset(n, 0, 128);
  k<<<1, 32>>>(x, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(n);
}
