// A histogram that is read before all have counted.
#include <cuda_runtime.h>

__global__ void histogram(const int* in, int* out) {
  __shared__ int bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] & 31], 1);  // finds C0206
  if (threadIdx.x < 32) atomicAdd(&out[threadIdx.x], bins[31 - threadIdx.x]);  // finds C0206
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  cudaMemset(out, 0, 32 * sizeof(int));
  histogram<<<4, 128>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
