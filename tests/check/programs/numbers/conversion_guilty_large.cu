// options: --with=numbers
// More than an int holds.
__global__ void k(float* x, int* n) { n[threadIdx.x] = (int)(x[threadIdx.x] + 3e9f); }  // finds C0602
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
