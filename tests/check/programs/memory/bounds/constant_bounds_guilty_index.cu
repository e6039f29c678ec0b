__constant__ int table[8];
__global__ void k(int* out, int n) {
  out[threadIdx.x] = table[threadIdx.x * n];  // finds C0106
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out, 1);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
