// options: --with=numbers
// Less than an unsigned number holds.
__global__ void k(float* x, int* n) { n[threadIdx.x] = (unsigned)(x[threadIdx.x] - 2.0f * threadIdx.x); }  // finds C0602
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
