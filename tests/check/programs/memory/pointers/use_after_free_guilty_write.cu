__global__ void k(int* p) { p[threadIdx.x] = 1; }  // finds C0103
int main() {
  int* p;
  cudaMalloc(&p, 128);
  cudaFree(p);
  k<<<1, 32>>>(p);
  cudaError_t e = cudaDeviceSynchronize();
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
