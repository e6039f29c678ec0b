// options: --with=numbers
// clean: a NaN that goes in comes out
__global__ void k(float* x, int* n) { x[threadIdx.x] = __int_as_float(0x7fc00000) * 2.0f + x[threadIdx.x]; }
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
