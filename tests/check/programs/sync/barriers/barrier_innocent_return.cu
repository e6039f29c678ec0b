// clean: threads that have returned do not count
__global__ void k(int* x, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  if (i >= n) return;
  s[i] = x[i];
  __syncthreads();
  x[i] = s[n - 1 - i];
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  k<<<1, 64>>>(x, 32);
  cudaDeviceSynchronize();
  cudaFree(x);
}
