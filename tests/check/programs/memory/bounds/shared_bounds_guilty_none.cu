// No dynamic shared memory was asked for.
__global__ void k(int* out) {
  extern __shared__ int s[];
  s[0] = 1;  // finds C0104
  *out = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 4);
  k<<<1, 1>>>(out);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
