// Columns are given back and got again.
// options: --compiler=nvcc --device=b200 -arch=sm_100a
// clean
#include "../../tensor_memory.cuh"
__global__ void kernel(float* out) {
  __shared__ Operands operands;
  __shared__ uint32_t place;
  __shared__ uint64_t done;
  for (int k = 0; k < 2; ++k) {
    const uint32_t columns = get_columns(&place);
    const uint32_t words[1] = {threadIdx.x};
    ptx::tcgen05_st_32x32b(columns + (threadIdx.x / 32 << 21), words);
    ptx::tcgen05_wait_st();
    give_back(columns);
    __syncthreads();
  }
}
int main() {
  float* out;
  cudaMalloc(&out, 128 * 64 * sizeof(float));
  kernel<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
