// Two barriers in two branches are two barriers.
__global__ void k(int* x) {
  if (threadIdx.x < 32) {
    x[threadIdx.x] = 1;
    __syncthreads();  // finds C0402
  } else {
    x[threadIdx.x] = 2;
    __syncthreads();  // finds C0402
  }
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  k<<<1, 64>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e != cudaSuccess && e != cudaErrorLaunchTimeout && e != cudaErrorLaunchFailure;
}
