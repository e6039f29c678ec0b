// says: block (0,0,0)
// Blocks cannot race with each other, so they run on all host threads. Within each there is a race, and the report names
// the first block whichever host thread finds it.
#include <cuda_runtime.h>

__global__ void reverse(float* x) {
  __shared__ float tile[256];
  float* mine = x + blockIdx.x * 256;
  tile[threadIdx.x] = mine[threadIdx.x];
  __syncthreads();
  const float opposite = tile[255 - threadIdx.x];  // finds C0201
  tile[threadIdx.x] = opposite + 1;                // finds C0201
  __syncthreads();
  mine[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  float* x;
  cudaMalloc(&x, 512 * 256 * sizeof(float));
  cudaMemset(x, 0, 512 * 256 * sizeof(float));
  for (int turn = 0; turn < 3; ++turn) reverse<<<512, 256>>>(x);
  cudaFree(x);
}
