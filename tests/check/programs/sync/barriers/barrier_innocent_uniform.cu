// clean: all threads take the same way
__global__ void k(int* x, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = x[i];
  for (int t = 0; t < n; ++t) {
    __syncthreads();
    int v = s[(i + 1) % 64];
    __syncthreads();
    s[i] = v;
  }
  if (blockIdx.x == 0) __syncthreads();
  x[i] = s[i];
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  k<<<1, 64>>>(x, 3);
  cudaDeviceSynchronize();
  cudaFree(x);
}
