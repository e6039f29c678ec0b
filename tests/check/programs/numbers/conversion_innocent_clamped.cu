// options: --with=numbers
// clean: clamped
__global__ void k(float* x, int* n) { n[threadIdx.x] = (int)fminf(fmaxf(x[threadIdx.x] + 3e9f, 0), 255); }
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
