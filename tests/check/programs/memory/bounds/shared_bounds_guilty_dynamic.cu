// The launch asks for bytes, the kernel uses elements.
__global__ void k(int* out) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;  // finds C0104
  __syncthreads();
  if (threadIdx.x == 0) *out = s[0];
}
int main() {
  int* out;
  cudaMalloc(&out, 4);
  k<<<1, 64, 64>>>(out);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
