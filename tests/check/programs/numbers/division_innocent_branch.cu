// options: --with=numbers
// clean: lanes with zero do not come here
__global__ void k(float* x, int* n) {
  if (threadIdx.x > 0) n[threadIdx.x] = 100 / threadIdx.x;
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
