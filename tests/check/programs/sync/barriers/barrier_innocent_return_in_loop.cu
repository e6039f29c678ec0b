// clean: threads return from the middle of the loop of barriers
__global__ void k(const int* x, int* y) {
  for (int i = 0; i < 4; ++i) {
    if (x[threadIdx.x] == i) return;
    __syncthreads();
    y[threadIdx.x] = i;
  }
}
int main() {
  int *x, *y, host[64];
  for (int i = 0; i < 64; ++i) host[i] = i % 8;
  cudaMalloc(&x, 256);
  cudaMalloc(&y, 256);
  cudaMemcpy(x, host, 256, cudaMemcpyHostToDevice);
  k<<<1, 64>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
