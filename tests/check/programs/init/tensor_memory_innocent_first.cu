// The first product writes the sums.
// options: --compiler=nvcc --device=b200 -arch=sm_100a
// clean
#include "../tensor_memory.cuh"
__global__ void kernel(float* out) {
  __shared__ Operands operands;
  __shared__ uint32_t place;
  __shared__ uint64_t done;
  fill(operands);
  const uint32_t columns = get_columns(&place);
  if (threadIdx.x == 0)
    for (int k = 0; k < 2; ++k) ptx::tcgen05_mma(ptx::kind_f16, ptx::cta_group_1, columns, descriptor(operands.a), descriptor(operands.b), kShape, k != 0);
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
