// In the last round some threads have nothing to add, and leave out the barrier.
__global__ void k(const int* x, int* sums, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < 128; i += 64) {
    if (i < n) {
      s[threadIdx.x] += x[i];
      __syncthreads();  // finds C0401
    }
  }
  if (threadIdx.x == 0)
    for (int j = 0; j < 64; ++j) sums[j] = s[j];
}
int main() {
  int *x, *sums;
  cudaMalloc(&x, 512);
  cudaMalloc(&sums, 256);
  cudaMemset(x, 0, 512);
  k<<<1, 64>>>(x, sums, 112);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(sums);
}
