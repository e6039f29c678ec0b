// clean: a full mask after half of the lanes have returned, among those that are left
__global__ void k(int* x) {
  int v = threadIdx.x;
  if (threadIdx.x >= 16) return;
  v += __shfl_xor_sync(0xffffffff, v, 1);
  __syncwarp();
  x[threadIdx.x] = v;
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
