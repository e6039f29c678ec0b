// The next allocation of that size would get the addresses; a checker keeps them apart for a while.
__global__ void k(int* p) { p[threadIdx.x] = 1; }  // finds C0103
int main() {
  int *p, *q;
  cudaMalloc(&p, 4096);
  cudaFree(p);
  cudaMalloc(&q, 4096);
  k<<<1, 32>>>(p);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(q);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
