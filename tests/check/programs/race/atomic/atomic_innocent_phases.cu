// clean: barriers between the phases
__global__ void k(int* out) {
  __shared__ int n[4];
  if (threadIdx.x < 4) n[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&n[threadIdx.x % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = n[threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 16);
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
