__global__ void k(int* out) {
  extern __shared__ char buffer[];
  double* d = (double*)(buffer + 4);
  if (threadIdx.x == 0) d[0] = 1.0;  // finds C0102
  *out = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 4);
  k<<<1, 1, 64>>>(out);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorMisalignedAddress;
}
