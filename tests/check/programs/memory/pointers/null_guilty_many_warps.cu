// A whole block of warps through a pointer that was not set.
__global__ void k(int* p) { p[threadIdx.x] = threadIdx.x; }  // finds C0110
int main() {
  k<<<1, 1024>>>(nullptr);
  return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
