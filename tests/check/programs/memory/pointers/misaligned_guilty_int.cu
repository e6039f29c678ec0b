__global__ void k(char* p) { *(int*)(p + 1 + 4 * threadIdx.x) = 7; }  // finds C0102
int main() {
  char* p;
  cudaMalloc(&p, 1024);
  k<<<1, 32>>>(p);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(p);
  return e != cudaSuccess && e != cudaErrorMisalignedAddress;
}
