// clean: the mask is made before the branch
__global__ void k(int* x) {
  int v = threadIdx.x;
  unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < 16);
  if (threadIdx.x < 16) v = __shfl_sync(mask, v, 0);
  x[threadIdx.x] = v;
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
