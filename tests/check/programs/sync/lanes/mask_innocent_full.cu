// clean
__global__ void k(int* x) {
  int v = threadIdx.x;
  v += __shfl_down_sync(0xffffffff, v, 8);
  if (__any_sync(0xffffffff, v > 3)) v = 1;
  x[threadIdx.x] = v;
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
