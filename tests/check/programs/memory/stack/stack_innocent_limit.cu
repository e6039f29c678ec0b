// clean: the stack was made large enough
__device__ int depth(int n) {
  volatile int pad[64];
  pad[n % 64] = n;
  return n == 0 ? 0 : depth(n - 1) + pad[n % 64];
}
__global__ void k(int* out, int n) { *out = depth(n); }
int main() {
  int* out;
  cudaMalloc(&out, 4);
  cudaDeviceSetLimit(cudaLimitStackSize, 256 << 10);
  k<<<1, 1>>>(out, 300);
  cudaDeviceSynchronize();
  cudaFree(out);
}
