__global__ void k(int* x) {
  int v = __shfl_sync(0x0000ffff, threadIdx.x, 0);  // finds C0403
  x[threadIdx.x] = v;
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e != cudaSuccess && e != cudaErrorLaunchTimeout && e != cudaErrorLaunchFailure;
}
