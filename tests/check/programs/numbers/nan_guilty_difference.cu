// options: --with=numbers
// Infinity minus infinity.
__global__ void k(float* x, int* n) {
  double big = 1.0 / x[threadIdx.x];
  x[threadIdx.x] = (float)(big - big);  // finds C0603
}
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
