// Shared memory that is written by another name, through a pointer that lies in memory, while all threads read it.
#include <cuda_runtime.h>

__global__ void shift(int** names, int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = threadIdx.x;
  names[threadIdx.x] = tile;
  __syncthreads();
  int* name = names[threadIdx.x];
  const int x = tile[127 - threadIdx.x];  // finds C0201
  name[threadIdx.x] = x;                  // finds C0201
  out[threadIdx.x] = x;
}

int main() {
  int** names;
  int* out;
  cudaMalloc(&names, 128 * sizeof(int*));
  cudaMalloc(&out, 128 * sizeof(int));
  shift<<<1, 128>>>(names, out);
  cudaDeviceSynchronize();
  cudaFree(names);
  cudaFree(out);
}
