// Recursion without an end.
__device__ int depth(int n) {  // finds C0109
  volatile int pad[64];
  pad[n % 64] = n;
  return n == 0 ? 0 : depth(n - 1) + pad[n % 64];
}
__global__ void k(int* out, int n) { *out = depth(n); }
int main() {
  int* out;
  cudaMalloc(&out, 4);
  k<<<1, 1>>>(out, 1 << 30);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(out);
  return e == cudaSuccess;
}
