// clean
__device__ int first[16];
__device__ int second[16];
__global__ void k() {
  first[threadIdx.x] = 1;
  second[15 - threadIdx.x] = 2;
}
int main() {
  k<<<1, 16>>>();
  cudaDeviceSynchronize();
}
