// docs/advice/uncoalesced-stores.md, after.
#include "example.h"

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  int n = 2048;
  transpose<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(zeros<float>(n * n), zeros<float>(n * n), n);
  finish();
}
