// clean: the last warp has 8 threads
__global__ void k(int* x) {
  __shared__ int s[40];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[39 - threadIdx.x];
}
int main() {
  int* x;
  cudaMalloc(&x, 160);
  cudaMemset(x, 0, 160);
  k<<<1, 40>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
