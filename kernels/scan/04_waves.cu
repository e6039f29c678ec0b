// step: blocks that stay, tiles in waves: each publishes early, and each adds up the whole wave
// needs: sm_90
//
//     wave 0: tiles 0 … 263, one for each block     wave 1: tiles 264 … 527     …
//
// As many blocks run as fit, and in each wave block b has the b-th tile. All blocks keep the sum of the waves before
// (the same additions in the same order, so the same bits). For its tile a block needs the sums of the tiles before it
// in its wave alone: 264 values that one warp reads at once. No chain of blocks is left.
//
// A block should not have to wait for those either. So a block scans tile w + 1 in registers and publishes its sum
// before it asks for those of wave w, which the others have published one tile's time ago. Bulk copies bring the tiles
// after those.
//
// Sums stand in a ring of four waves with the number of their wave beside them: a block that publishes wave w + 2 has
// seen all of wave w, so the slowest block has finished reading wave w - 2, whose place is taken.
//
// Expected: 0.93 of a copy. What could delay a block is hidden by the two tiles ahead of it.
//
// Found (H200, 2026-11-23): 0.66 of a copy at 2^24; 0.72 at 2^28. No better than looking back, so waiting for sums is
// not what limits; 1024 threads per block, two places in the ring or fewer vectors were slower. What does is not known
// yet.
#include "../parts/bulk.h"
#include "../parts/launch.h"
#include "tagged.h"
#include "tile.h"

namespace {

constexpr int kThreads = 512, kVectors = 3, kStages = 4;
constexpr int kTile = kThreads * kVectors;  // vectors
constexpr int kWaves = 4, kMostBlocks = 320;

__device__ unsigned long long sums[kWaves][kMostBlocks];  // tagged with the number of the wave + 1

// By one warp: what the blocks before this one have in a wave, and what all have. All looks are on their way before the
// first is waited for; if one came too early, all are repeated.
__device__ __forceinline__ float2 sums_of_wave(int wave) {
  float before, all;
  bool complete;
  do {
    before = all = 0, complete = true;
#pragma unroll 5
    for (int first = 0; first < kMostBlocks; first += 32) {
      int block = first + int(threadIdx.x) % 32;
      Tagged seen = look(&sums[wave % kWaves][min(block, int(gridDim.x) - 1)]);  // no branch between the looks
      complete &= seen.tag == unsigned(wave + 1);
      all += block < int(gridDim.x) ? seen.value : 0.0f;
      before += block < int(blockIdx.x) ? seen.value : 0.0f;
    }
  } while (!__all_sync(0xffffffffu, complete));
  return {sum_of_warp(before), sum_of_warp(all)};
}

__global__ void __launch_bounds__(kThreads, 2) scan(const float* in, float* out, int n) {
  extern __shared__ __align__(128) uint4 ring[];
  __shared__ Barrier landed[kStages];
  __shared__ float room[2][kThreads / 32], before_tile[2];
  int thread = int(threadIdx.x), blocks = int(gridDim.x);
  size_t whole = size_t(n) / 4, vectors = (size_t(n) + 3) / 4;  // whole vectors come by bulk copies
  int waves = int((vectors + size_t(blocks) * kTile - 1) / (size_t(blocks) * kTile));
  auto first_of = [&](int wave) { return (size_t(wave) * blocks + blockIdx.x) * kTile; };
  auto fetch = [&](int wave) {
    if (wave >= waves) return;
    size_t first = first_of(wave), count = first < whole ? min(whole - first, size_t(kTile)) : 0;
    expect_bytes(&landed[wave % kStages], unsigned(count) * 16);
    if (count) copy_in(&ring[wave % kStages * kTile], in + first * 4, unsigned(count) * 16, &landed[wave % kStages]);
  };
  if (thread == 0) {
    for (int stage = 0; stage < kStages; ++stage) barrier_init(&landed[stage]), fetch(stage);
  }
  __syncthreads();

  // Scans the tile of a wave and publishes its sum. Returns what stands before this warp in the tile.
  auto begin = [&](int wave, float(&x)[kVectors][4]) {
    wait_for(&landed[wave % kStages], unsigned(wave / kStages % 2));
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      int i = vector_of<kVectors>(v);
      size_t vector = first_of(wave) + size_t(i);
      if (vector < whole)
        unpack<float>(ring[wave % kStages * kTile + i], x[v]);
      else
        load_ragged(x[v], in, vector, size_t(n));
    }
    float total, warp_total = scan_in_warp(x);
    float before = before_warp(warp_total, room[wave % 2], total);  // its barrier: the stage has been read
    if (thread == 0) {
      publish(&sums[wave % kWaves][blockIdx.x], {unsigned(wave + 1), total});
      fetch(wave + kStages);
    }
    return before;
  };

  float x[kVectors][4], next[kVectors][4] = {};
  float before = begin(0, x), before_next = 0, carry = 0;
  for (int wave = 0; wave < waves; ++wave) {
    if (wave + 1 < waves) before_next = begin(wave + 1, next);
    if (thread < 32) {
      float2 wave_sums = sums_of_wave(wave);
      if (thread == 0) before_tile[wave % 2] = carry + wave_sums.x;
      carry += wave_sums.y;
    }
    __syncthreads();
    add(x, before + before_tile[wave % 2]);
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      size_t vector = first_of(wave) + size_t(vector_of<kVectors>(v));
      store_ragged(out, x[v], vector, size_t(n));
#pragma unroll
      for (int i = 0; i < 4; ++i) x[v][i] = next[v][i];
    }
    before = before_next;
  }
}

}  // namespace

extern "C" void solve(const float* in, float* out, int n) {
  void* all_sums = nullptr;
  cudaGetSymbolAddress(&all_sums, sums);
  cudaMemsetAsync(all_sums, 0, sizeof sums);
  Launch how = persistent(scan, kThreads, kTile * kStages * 16, 1, kMostBlocks);
  how.together = true;
  run(scan, how, in, out, n);
}
