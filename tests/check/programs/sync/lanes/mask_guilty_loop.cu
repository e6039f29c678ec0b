// A full mask in a loop that some lanes leave earlier.
__global__ void k(int* x) {
  int v = threadIdx.x;
  for (int i = 0; i < (int)threadIdx.x % 4; ++i) v += __shfl_xor_sync(0xffffffff, v, 4);  // finds C0404
  x[threadIdx.x] = v;
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
