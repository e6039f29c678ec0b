// options: --with=numbers
// One lane divides by its own number.
__global__ void k(float* x, int* n) { n[threadIdx.x] = 1000ll / (long long)(threadIdx.x ^ 5); }  // finds C0601
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
