// docs/advice/tensor-cores.md, after.
#include <cuda_fp16.h>
#include <mma.h>

#include "example.h"

using namespace nvcuda;

__global__ void products(float* out, const half* in, int steps) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::load_matrix_sync(a, in, 16);
  wmma::load_matrix_sync(b, in, 16);
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < steps; ++k) wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(out + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 256, c, 16, wmma::mem_row_major);
}

int main() {
  int n = 1 << 14;
  products<<<n / 256, 256>>>(zeros<float>(n * 8), zeros<half>(256), 64);
  finish();
}
