// A vote of all lanes, in a branch.
__global__ void k(int* x) {
  int v = 0;
  if (threadIdx.x % 2 == 0) v = __any_sync(0xffffffff, x[threadIdx.x] > 0);  // finds C0404
  x[threadIdx.x] = v + 1;
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
