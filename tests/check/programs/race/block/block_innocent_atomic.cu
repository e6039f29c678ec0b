// clean
__global__ void k(int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, (int)threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}
int main() {
  int* out;
  cudaMalloc(&out, 4);
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
