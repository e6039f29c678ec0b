__global__ void k(int* p, int n) {
  if (threadIdx.x < n) p[threadIdx.x] = 1;  // finds C0110
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 1ull << 60);
  cudaGetLastError();
  k<<<1, 32>>>(p, 32);
  cudaError_t e = cudaDeviceSynchronize();
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
