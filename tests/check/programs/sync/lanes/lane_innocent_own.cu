// clean: a shuffle past the width's end gives the lane's own value
__global__ void k(int* x) {
  int v = threadIdx.x;
  v += __shfl_down_sync(0xffffffff, v, 16, 16);
  x[threadIdx.x] = v;
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
