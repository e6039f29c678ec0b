// Each group of eight names itself alone, as often as it likes, and all meet behind the loop.
// clean
__global__ void k(const int* rounds, int* x) {
  int v = threadIdx.x;
  const unsigned group = 0xffu << (threadIdx.x / 8 * 8);
  for (int i = 0; i < rounds[threadIdx.x / 8]; ++i) v += __shfl_up_sync(group, v, 1, 8);
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
