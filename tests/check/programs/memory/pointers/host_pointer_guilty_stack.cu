// says: allocate with cudaMalloc and copy the data
// does not say: if (i < n)
__global__ void k(int* p) { *p = 1; }  // finds C0108
int main() {
  int host = 0;
  k<<<1, 1>>>(&host);
  cudaError_t e = cudaDeviceSynchronize();
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
