__global__ void k(int* out) {
  __shared__ int a[32];
  __shared__ int b[32];
  int i = threadIdx.x;
  b[i] = 0;
  a[i * 2] = 1;  // finds C0107
  __syncthreads();
  out[i] = a[0] + b[0];
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 24>>>(out);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
