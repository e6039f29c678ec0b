// Only two warps store their rows of a.
// options: --compiler=nvcc --device=b200 -arch=sm_100a
#include "../tensor_memory.cuh"
__global__ void kernel(float* out) {
  __shared__ Operands operands;
  __shared__ uint32_t place;
  __shared__ uint64_t done;
  fill(operands);
  const uint32_t columns = get_columns(&place);
  const uint32_t rows[8] = {0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00};
  if (threadIdx.x < 64) ptx::tcgen05_st_32x32b(columns + 32 + (threadIdx.x / 32 << 21), rows);
  ptx::tcgen05_wait_st();
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  const uint32_t half = 1 << 4 | 32 / 8 << 17 | 128 / 16 << 24;
  if (threadIdx.x == 0) ptx::tcgen05_mma_tmem_a(ptx::kind_f16, ptx::cta_group_1, columns, columns + 32, descriptor(operands.b), half, false);  // finds C0306
  finish(&done);
  uint32_t words[8];
  ptx::tcgen05_ld_32x32b(words, columns + (threadIdx.x / 32 << 21));
  ptx::tcgen05_wait_ld();
  out[threadIdx.x] = __uint_as_float(words[3]);
  give_back(columns);
}
int main() {
  float* out;
  cudaMalloc(&out, 128 * 64 * sizeof(float));
  kernel<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
