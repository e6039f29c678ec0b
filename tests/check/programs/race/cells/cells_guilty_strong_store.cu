// The only write between two barriers is a volatile one.
#include <cuda_runtime.h>

__global__ void shift(int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int x = tile[127 - threadIdx.x];                        // finds C0201
  *static_cast<volatile int*>(&tile[threadIdx.x]) = x + 1;      // finds C0201
  out[threadIdx.x] = x;
}

int main() {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  shift<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
