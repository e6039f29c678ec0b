// clean
__global__ void reverse(int* x) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = x[i];
  __syncthreads();
  x[i] = s[63 - i];
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  reverse<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
