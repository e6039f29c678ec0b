// clean: one thread sets the flag for all
__global__ void k(int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (threadIdx.x == 17) found = 1;
  __syncthreads();
  out[threadIdx.x] = found;
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
