// step: cp.async brings the next two tiles while a block computes, and nothing is transposed
// takes: n % 4 == 0 and k % 4 == 0
// needs: sm_80
//
// Tiles go from memory to shared memory without registers, 16 bytes at a time, and lie there as in memory (multiply.h).
// Blocks run in an order that suits L2.
//
// Expected: three quarters of fp32's peak. For 64 multiply-adds there are four loads and a good half of an instruction
// to ask for tiles; what is left are barriers.
//
// Found (H100): 0.57 of the peak at 4096³ and 8192³; 2.05 times as fast at 1024³.
#include "../parts/launch.h"
#include "multiply.h"

namespace {

constexpr int kTile = 128, kWidth = 8, kStages = 3, kThreads = 256;
using Warp = Lanes<kWidth>;
constexpr int kWarpsAcross = kTile / Warp::kColumns;

struct Memory {
  float a[kStages][kTile * kTileDepth], b[kStages][kTileDepth * kTile];
};

// What is outside of the matrix becomes zeros.
__device__ __forceinline__ void ask(float* to, const float* from, size_t at, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(__cvta_generic_to_global(inside ? from + at : from)), "r"(inside ? 16 : 0)
               : "memory");
}

__global__ void __launch_bounds__(kThreads, 2)
    async(const float* a, const float* b, float* c, int m, int n, int k, int down, int across) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  Memory& memory = *reinterpret_cast<Memory*>(bytes);
  int thread = int(threadIdx.x), warp = thread / 32, row, column, steps = (k + kTileDepth - 1) / kTileDepth;
  place_of(int(blockIdx.x), down, across, row, column);
  row *= kTile, column *= kTile;
  auto fetch = [&](int step) {
    int stage = step % kStages, start = step * kTileDepth;
    if (step < steps) {
#pragma unroll
      for (int i = thread; i < kTile * kTileDepth / 4; i += kThreads) {
        int r = i / (kTileDepth / 4), chunk = i % (kTileDepth / 4), deep = i / (kTile / 4), s = i % (kTile / 4) * 4;
        ask(&memory.a[stage][r * kTileDepth + (chunk ^ r % 8) * 4], a, size_t(row + r) * k + start + chunk * 4,
            row + r < m && start + chunk * 4 < k);
        ask(&memory.b[stage][deep * kTile + s], b, size_t(start + deep) * n + column + s,
            start + deep < k && column + s < n);
      }
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  for (int step = 0; step + 1 < kStages; ++step) fetch(step);
  int warp_row = warp / kWarpsAcross * Warp::kRows, warp_column = warp % kWarpsAcross * Warp::kColumns;
  float sums[kRowsOfThread][kWidth] = {};
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
    __syncthreads();  // the tiles of all threads are there, and all have done with the place that is filled next
    fetch(step + kStages - 1);
    multiply<kWidth, kTile>(sums, &memory.a[step % kStages][warp_row * kTileDepth],
                            &memory.b[step % kStages][warp_column]);
  }
  store(c, m, n, row + warp_row, column + warp_column, sums);
}

}  // namespace

extern "C" void solve(const float* a, const float* b, float* c, int m, int n, int k) {
  must(cudaFuncSetAttribute(async, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Memory))), "shared memory");
  int down = (m + kTile - 1) / kTile, across = (n + kTile - 1) / kTile;
  async<<<down * across, kThreads, sizeof(Memory)>>>(a, b, c, m, n, k, down, across);
}
