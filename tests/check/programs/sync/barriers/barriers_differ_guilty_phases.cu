// Producers and consumers each have their barrier, the block's only one.
__global__ void k(const int* in, int* out) {
  __shared__ int s[32];
  if (threadIdx.x >= 32) {
    s[threadIdx.x - 32] = in[threadIdx.x - 32] + 1;
    __syncthreads();  // finds C0402
  } else {
    __syncthreads();  // finds C0402
    out[threadIdx.x] = s[threadIdx.x];
  }
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  cudaMalloc(&out, 128);
  k<<<1, 64>>>(in, out);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorLaunchTimeout && e != cudaErrorLaunchFailure;
}
