// A thread that finds something leaves the loop of barriers.
__global__ void k(const int* x, int* y) {
  for (int i = 0; i < 4; ++i) {
    if (x[threadIdx.x] == i) break;
    y[threadIdx.x] = i;
    __syncthreads();  // finds C0401
  }
  y[threadIdx.x] += 1;
}
int main() {
  int *x, *y, host[64];
  for (int i = 0; i < 64; ++i) host[i] = i % 8;
  cudaMalloc(&x, 256);
  cudaMalloc(&y, 256);
  cudaMemset(y, 0, 256);
  cudaMemcpy(x, host, 256, cudaMemcpyHostToDevice);
  k<<<1, 64>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
