// options: --with=numbers
// clean: the fraction is cut off
__global__ void k(float* x, int* n) { n[threadIdx.x] = (unsigned)(x[threadIdx.x] - 0.75f) + (int)(x[threadIdx.x] - 2.5f); }
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
