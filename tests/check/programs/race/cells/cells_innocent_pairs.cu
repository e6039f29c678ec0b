// Sums of a tree in which each thread reads its own word and a neighbour's that was written a step before, in doubles.
// clean
#include <cuda_runtime.h>

__global__ void sum(const double* in, double* out) {
  __shared__ double part[128];
  part[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

int main() {
  double *in, *out;
  cudaMalloc(&in, 8 * 128 * sizeof(double));
  cudaMalloc(&out, 8 * sizeof(double));
  cudaMemset(in, 0, 8 * 128 * sizeof(double));
  sum<<<8, 128>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
