// All warps read a word in one instruction, and one of the readers writes it.
#include <cuda_runtime.h>

__global__ void next(int* data) {
  __shared__ int at;
  if (threadIdx.x == 255) at = data[0];
  __syncthreads();
  const int here = at;                        // finds C0201
  data[here + threadIdx.x] = here;
  if (threadIdx.x == 255) at = here + 256;    // finds C0201
  __syncthreads();
  data[at + threadIdx.x] = 1;
}

int main() {
  int* data;
  cudaMalloc(&data, 1024 * sizeof(int));
  cudaMemset(data, 0, 1024 * sizeof(int));
  next<<<1, 256>>>(data);
  cudaDeviceSynchronize();
  cudaFree(data);
}
