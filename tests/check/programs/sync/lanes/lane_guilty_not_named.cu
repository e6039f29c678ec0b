// Both halves call, each with its own mask, and the lower asks the upper.
__global__ void k(int* x) {
  unsigned mask = threadIdx.x < 16 ? 0x0000ffff : 0xffff0000;
  int v = __shfl_xor_sync(mask, (int)threadIdx.x, 16);  // finds C0405
  x[threadIdx.x] = v;                                   // finds C0405
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
