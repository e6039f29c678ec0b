// cudaDeviceReset frees everything: a program that goes on after it needs new memory.
__global__ void k(int* p) { p[threadIdx.x] = 1; }  // finds C0103
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  cudaDeviceReset();
  k<<<1, 32>>>(p);
  const cudaError_t e = cudaDeviceSynchronize();
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
