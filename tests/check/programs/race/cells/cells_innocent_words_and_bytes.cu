// Words that are written in parts by neighbours, and as a whole by one thread behind a barrier.
// clean
#include <cuda_runtime.h>

__global__ void parts(unsigned char* bytes) {
  bytes[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 32) reinterpret_cast<int*>(bytes)[threadIdx.x] += 1;
  __syncthreads();
  bytes[threadIdx.x] += 1;
}

int main() {
  unsigned char* bytes;
  cudaMalloc(&bytes, 128);
  parts<<<1, 128>>>(bytes);
  cudaDeviceSynchronize();
  cudaFree(bytes);
}
