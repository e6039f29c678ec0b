// clean: the block writes, meets, and one thread of it releases for all
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 42;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
  }
}
int main() {
  int* p;
  cudaMalloc(&p, 1024);
  cudaMemset(p, 0, 1024);
  k<<<2, 64>>>(p, p + 64, p + 128);
  cudaDeviceSynchronize();
  cudaFree(p);
}
