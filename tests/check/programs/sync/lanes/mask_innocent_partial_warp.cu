// clean: a full mask in a warp that has only 8 threads
__global__ void k(int* x) {
  int v = __shfl_xor_sync(0xffffffff, (int)threadIdx.x, 1);
  x[threadIdx.x] = v;
}
int main() {
  int* x;
  cudaMalloc(&x, 160);
  k<<<1, 40>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
