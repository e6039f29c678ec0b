// options: --with=numbers
// Infinity is no number of elements.
__global__ void k(float* x, int* n) { n[threadIdx.x] = (int)(1.0 / (double)x[threadIdx.x]); }  // finds C0602
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
