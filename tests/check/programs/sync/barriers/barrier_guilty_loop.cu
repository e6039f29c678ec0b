// The loop has as many rounds as the thread's number says.
__global__ void k(int* x) {
  for (int i = 0; i < (int)threadIdx.x % 3; ++i) {
    __syncthreads();  // finds C0401
    x[threadIdx.x] += i;
  }
  x[threadIdx.x] = 1;
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
