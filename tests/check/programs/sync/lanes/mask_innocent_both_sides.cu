// clean: each half has its own mask, and meets in its own branch
__global__ void k(int* x) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_xor_sync(0x0000ffff, v, 1);
  else v += __shfl_xor_sync(0xffff0000, v, 2);
  x[threadIdx.x] = v;
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
