// The neighbouring variable is the program's own; the array has ended all the same.
__device__ int first[16];
__device__ int second[16];
__global__ void k() {
  first[threadIdx.x] = 1;  // finds C0107
  if (threadIdx.x < 16) second[threadIdx.x] = 2;
}
int main() {
  k<<<1, 17>>>();
  cudaError_t e = cudaDeviceSynchronize();
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
