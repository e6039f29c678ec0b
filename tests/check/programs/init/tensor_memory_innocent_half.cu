// A product of 64 rows fills half of the lanes; loads take all of them along.
// options: --compiler=nvcc --device=b200 -arch=sm_100a
// clean
#include "../tensor_memory.cuh"
__global__ void kernel(float* out) {
  __shared__ Operands operands;
  __shared__ uint32_t place;
  __shared__ uint64_t done;
  fill(operands);
  const uint32_t columns = get_columns(&place);
  const uint32_t half = 1 << 4 | 64 / 8 << 17 | 64 / 16 << 24;
  if (threadIdx.x == 0) ptx::tcgen05_mma(ptx::kind_f16, ptx::cta_group_1, columns, descriptor(operands.a), descriptor(operands.b), half, false);
  finish(&done);
  uint32_t words[8];
  ptx::tcgen05_ld_32x32b(words, columns + (threadIdx.x / 32 << 21));
  ptx::tcgen05_wait_ld();
  if (threadIdx.x % 32 < 16) out[threadIdx.x] = __uint_as_float(words[3]);
  give_back(columns);
}
int main() {
  float* out;
  cudaMalloc(&out, 128 * 64 * sizeof(float));
  kernel<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
