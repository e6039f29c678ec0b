// step: tiles of 128x128 in shared memory, 8x8 elements of the result in each thread's registers
//
// An element that has come from memory once is used 128 times, and one that has come from shared memory eight times.
// Tiles hold floats, so that the conversion is done once for each element and tile.
//
// Expected: a third of what multiply-adds of floats can do, 20 TFLOP/s: loads of two bytes, and nothing is loaded while
// a block computes. Whatever is done here, fp32's peak of 67 TFLOP/s is a fifteenth of the tensor cores'.
//
// Found: not measured yet.
#include <cuda_bf16.h>

namespace {

constexpr int kTile = 128, kDepth = 16, kSide = 8, kAcross = kTile / kSide, kThreads = kAcross * kAcross;
constexpr int kPitch = kTile + 4;  // so that the stores of a warp, 16 along k, do not meet in one bank

// Rows `first` and on of a matrix of rows along k.
__device__ void load(float (&tile)[kDepth][kPitch], const __nv_bfloat16* from, int first, int rows, int start, int k) {
#pragma unroll
  for (int i = int(threadIdx.x); i < kTile * kDepth; i += kThreads) {
    int row = first + i / kDepth, deep = start + i % kDepth;
    tile[i % kDepth][i / kDepth] = row < rows && deep < k ? __bfloat162float(from[size_t(row) * k + deep]) : 0.0f;
  }
}

__global__ void __launch_bounds__(kThreads, 2)
    tiles(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  __shared__ __align__(16) float tile_a[kDepth][kPitch], tile_b[kDepth][kPitch];
  int row = int(threadIdx.x) / kAcross * 4, column = int(threadIdx.x) % kAcross * 4;  // and 64 further on, four each
  int first_row = int(blockIdx.y) * kTile, first_column = int(blockIdx.x) * kTile;
  float sums[kSide][kSide] = {};
  for (int start = 0; start < k; start += kDepth) {
    load(tile_a, a, first_row, m, start, k);
    load(tile_b, b, first_column, n, start, k);
    __syncthreads();
#pragma unroll
    for (int deep = 0; deep < kDepth; ++deep) {
      float from_a[kSide], from_b[kSide];
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        reinterpret_cast<float4*>(from_a)[half] = reinterpret_cast<float4&>(tile_a[deep][row + half * 64]);
        reinterpret_cast<float4*>(from_b)[half] = reinterpret_cast<float4&>(tile_b[deep][column + half * 64]);
      }
#pragma unroll
      for (int i = 0; i < kSide; ++i)
#pragma unroll
        for (int j = 0; j < kSide; ++j) sums[i][j] += from_a[i] * from_b[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kSide; ++i)
#pragma unroll
    for (int j = 0; j < kSide; ++j) {
      int r = first_row + row + i % 4 + i / 4 * 64, s = first_column + column + j % 4 + j / 4 * 64;
      if (r < m && s < n) c[size_t(r) * n + s] = __float2bfloat16(sums[i][j]);
    }
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  tiles<<<dim3((n + kTile - 1) / kTile, (m + kTile - 1) / kTile), kThreads>>>(a, b, c, m, n, k);
}
