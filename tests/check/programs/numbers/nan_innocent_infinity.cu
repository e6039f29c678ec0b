// options: --with=numbers
// clean: infinity is a value
__global__ void k(float* x, int* n) { x[threadIdx.x] = 1.0f / x[threadIdx.x] + 5.0f; }
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
