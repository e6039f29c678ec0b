__global__ void k(int* x) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = x[i];
  if (i < 48) __syncthreads();  // finds C0401
  x[i] = s[i];
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  k<<<1, 64>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e != cudaSuccess && e != cudaErrorLaunchTimeout && e != cudaErrorLaunchFailure;
}
