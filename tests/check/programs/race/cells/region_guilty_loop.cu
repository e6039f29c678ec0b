// does not say: __syncwarp()
// A tile that is filled in one step and read in another: without the second barrier the next round fills it too early.
#include <cuda_runtime.h>

__global__ void sums(const int* in, int* out, int rounds) {
  __shared__ int tile[128];
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    tile[threadIdx.x] = in[round * 128 + threadIdx.x];  // finds C0201
    __syncthreads();
    for (int k = 0; k < 128; ++k) sum += tile[k];       // finds C0201
  }
  out[threadIdx.x] = sum;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 512 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(in, 0, 512 * sizeof(int));
  sums<<<1, 128>>>(in, out, 4);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
