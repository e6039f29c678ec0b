// Lanes that have left the loop wait in another function of the warp, and are taken for those that the mask names.
__global__ void k(const int* rounds, int* x) {
  int v = threadIdx.x;
  for (int i = 0; i < rounds[threadIdx.x / 8]; ++i) v += __shfl_up_sync(0xffffffff, v, 1, 8);  // finds C0404
  x[threadIdx.x] = __shfl_xor_sync(0xffffffff, v, 9);
}
int main() {
  int *rounds, *x, host[4] = {1, 2, 3, 4};
  cudaMalloc(&rounds, sizeof host), cudaMalloc(&x, 128);
  cudaMemcpy(rounds, host, sizeof host, cudaMemcpyHostToDevice);
  k<<<1, 32>>>(rounds, x);
  cudaDeviceSynchronize();
  cudaFree(rounds), cudaFree(x);
}
