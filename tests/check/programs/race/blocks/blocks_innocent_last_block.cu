// clean: the last block to arrive adds up what the others wrote before their fence
__global__ void sum(int* partial, unsigned* arrived, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x;
    __threadfence();
    last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence();
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) total += partial[i];
    *out = total;
  }
}
int main() {
  int *p, *out;
  unsigned* arrived;
  cudaMalloc(&p, 256);
  cudaMalloc(&out, 4);
  cudaMalloc(&arrived, 4);
  cudaMemset(arrived, 0, 4);
  sum<<<64, 32>>>(p, arrived, out);
  cudaDeviceSynchronize();
  cudaFree(p);
  cudaFree(out);
  cudaFree(arrived);
}
