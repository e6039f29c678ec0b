// One lane more than the mask names (compare NVIDIA's sample for synccheck).
__global__ void k(int* x) {
  unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < 16);
  if (threadIdx.x <= 16) {
    x[threadIdx.x] = 1;
    __syncwarp(mask);  // finds C0403
  }
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e != cudaSuccess && e != cudaErrorLaunchFailure;
}
