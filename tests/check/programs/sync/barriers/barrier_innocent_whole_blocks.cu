// clean: the condition is the same for all threads of a block
__global__ void k(int* x, int n) {
  __shared__ int s[64];
  if ((int)blockIdx.x < n) {
    s[threadIdx.x] = x[threadIdx.x + blockIdx.x * 64];
    __syncthreads();
    x[threadIdx.x + blockIdx.x * 64] = s[63 - threadIdx.x];
  }
  for (int i = 0; i < n; ++i) {
    if (i % 2 == 1) __syncthreads();
    if (i == (int)blockIdx.x) break;
  }
}
int main() {
  int* x;
  cudaMalloc(&x, 1024);
  cudaMemset(x, 0, 1024);
  k<<<4, 64>>>(x, 3);
  cudaDeviceSynchronize();
  cudaFree(x);
}
