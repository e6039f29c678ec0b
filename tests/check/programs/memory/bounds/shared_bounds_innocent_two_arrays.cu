// clean: two arrays in one dynamic buffer
__global__ void k(double* out, int n) {
  extern __shared__ double d[];
  int* i = (int*)(d + n);
  d[threadIdx.x] = threadIdx.x;
  i[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = d[n - 1 - threadIdx.x] + i[threadIdx.x];
}
int main() {
  double* out;
  cudaMalloc(&out, 32 * sizeof(double));
  k<<<1, 32, 32 * (sizeof(double) + sizeof(int))>>>(out, 32);
  cudaDeviceSynchronize();
  cudaFree(out);
}
