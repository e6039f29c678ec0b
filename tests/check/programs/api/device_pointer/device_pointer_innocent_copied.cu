// clean
__global__ void k(int* x) { x[threadIdx.x] = 1; }

int main() {
  int *x, host[32];
  cudaMalloc(&x, sizeof host);
  k<<<1, 32>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(x);
  return host[3] != 1;
}
