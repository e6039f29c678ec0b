// clean: the whole block takes one of the two ways
__global__ void k(int* out) {
  if (blockIdx.x % 2) {
    out[blockIdx.x * 64 + threadIdx.x] = 1;
    __syncthreads();
  } else {
    out[blockIdx.x * 64 + threadIdx.x] = 2;
    __syncthreads();
  }
}
int main() {
  int* out;
  cudaMalloc(&out, 1024);
  k<<<4, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
