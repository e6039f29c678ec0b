// A full mask in a branch that half of the warp takes.
__global__ void k(int* x) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_down_sync(0xffffffff, v, 8);  // finds C0404
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
