// Scans of groups of eight in a loop whose length differs by group: the mask is the whole warp's.
__global__ void k(const int* rounds, int* x) {
  int v = threadIdx.x;
  for (int i = 0; i < rounds[threadIdx.x / 8]; ++i)
    for (int offset = 1; offset < 8; offset *= 2) {
      int other = __shfl_up_sync(0xffffffff, v, offset, 8);  // finds C0404
      if (threadIdx.x % 8 >= offset) v += other;
    }
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
