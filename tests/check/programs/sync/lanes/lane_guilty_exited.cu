// Half of the warp has returned; the others ask it for values.
__global__ void k(int* x) {
  int i = threadIdx.x;
  if (i >= 16) return;
  x[i] = __shfl_sync(0xffffffff, i, i + 16);  // finds C0405
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e != cudaSuccess && e != cudaErrorLaunchTimeout && e != cudaErrorLaunchFailure;
}
