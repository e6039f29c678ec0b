// A way out of the kernel that passes the end by.
// options: --compiler=nvcc --device=b200 -arch=sm_100a
#include "../../tensor_memory.cuh"
__global__ void kernel(float* out) {
  __shared__ Operands operands;
  __shared__ uint32_t place;
  __shared__ uint64_t done;
  if (threadIdx.x < 32) ptx::tcgen05_alloc(ptx::cta_group_1, &place, uint32_t{kColumns});  // finds C0116
  __syncthreads();
  const uint32_t columns = place;
  const uint32_t words[1] = {threadIdx.x};
  ptx::tcgen05_st_32x32b(columns + (threadIdx.x / 32 << 21), words);
  ptx::tcgen05_wait_st();
  if (columns + kColumns > 32) return;
  give_back(columns);
}
int main() {
  float* out;
  cudaMalloc(&out, 128 * 64 * sizeof(float));
  kernel<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
