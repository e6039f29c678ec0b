// clean: variables of device code start as zero
__device__ int counter;
__global__ void k() { atomicAdd(&counter, 1); }
int main() {
  k<<<1, 32>>>();
  cudaDeviceSynchronize();
}
