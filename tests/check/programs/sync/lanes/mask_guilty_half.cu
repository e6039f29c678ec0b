// The upper half calls with the mask of the lower.
__global__ void k(int* x) {
  int v = threadIdx.x;
  if (threadIdx.x >= 16) v = __shfl_down_sync(0x0000ffff, v, 1);  // finds C0403
  x[threadIdx.x] = v;
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e != cudaSuccess && e != cudaErrorLaunchFailure;
}
