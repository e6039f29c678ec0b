// C = A * B + C in single precision without tensor cores, the next operands under way while the present ones are multiplied: cp.async
// into the second of two buffers. Blocks of 64 by 64, 256 threads of 4 by 4 each. All by row; n is a multiple of 64.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

namespace {

constexpr int kTile = 64, kDepth = 16, kThreads = 256, kEach = 4;

}  // namespace

__global__ void __launch_bounds__(kThreads) product_async(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float tiles_a[2][kTile][kDepth + 4], tiles_b[2][kDepth][kTile];
  const int thread = threadIdx.x, column0 = blockIdx.x * kTile, row0 = blockIdx.y * kTile;
  // A thread brings 16 bytes of each tile.
  auto start = [&](int k, int buffer) {
    const int row = thread / (kDepth / 4), at = thread % (kDepth / 4) * 4, depth = thread / (kTile / 4), column = thread % (kTile / 4) * 4;
    __pipeline_memcpy_async(&tiles_a[buffer][row][at], a + static_cast<size_t>(row0 + row) * n + k + at, 16);
    __pipeline_memcpy_async(&tiles_b[buffer][depth][column], b + static_cast<size_t>(k + depth) * n + column0 + column, 16);
    __pipeline_commit();
  };
  const int row = thread / (kTile / kEach) * kEach, column = thread % (kTile / kEach) * kEach;
  float sums[kEach][kEach] = {};
  start(0, 0);
  for (int k = 0, buffer = 0; k < n; k += kDepth, buffer ^= 1) {
    if (k + kDepth < n) {
      start(k + kDepth, buffer ^ 1);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
#pragma unroll
    for (int depth = 0; depth < kDepth; ++depth) {
      const float4 right = *reinterpret_cast<const float4*>(&tiles_b[buffer][depth][column]);
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        const float left = tiles_a[buffer][row + i][depth];
        sums[i][0] += left * right.x, sums[i][1] += left * right.y, sums[i][2] += left * right.z, sums[i][3] += left * right.w;
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i)
    for (int j = 0; j < kEach; ++j) c[static_cast<size_t>(row0 + row + i) * n + column0 + column + j] += sums[i][j];
}

extern "C" const void* bench_product_async() { return reinterpret_cast<const void*>(product_async); }
