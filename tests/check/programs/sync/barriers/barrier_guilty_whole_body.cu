// The guard is around all that the kernel does: some threads of the last block are kept from the barrier.
__global__ void k(int* x, int n) {
  __shared__ int s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    s[threadIdx.x] = x[i];
    __syncthreads();  // finds C0401
    x[i] = s[threadIdx.x];
  }
}
int main() {
  int* x;
  cudaMalloc(&x, 512);
  cudaMemset(x, 0, 512);
  k<<<2, 64>>>(x, 100);
  cudaDeviceSynchronize();
  cudaFree(x);
}
