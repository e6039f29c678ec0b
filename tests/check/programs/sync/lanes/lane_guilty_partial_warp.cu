// Lanes 8 to 31 of the last warp do not exist.
__global__ void k(int* x) {
  int v = threadIdx.x;
  v += __shfl_sync(0xffffffff, v, (threadIdx.x + 16) % 32);  // finds C0405
  x[threadIdx.x] = v;                                        // finds C0405
}
int main() {
  int* x;
  cudaMalloc(&x, 160);
  k<<<1, 40>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
