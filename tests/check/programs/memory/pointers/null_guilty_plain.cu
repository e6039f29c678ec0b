__global__ void k(int* p) { *p = 1; }  // finds C0110
int main() {
  k<<<1, 1>>>(nullptr);
  cudaError_t e = cudaDeviceSynchronize();
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
