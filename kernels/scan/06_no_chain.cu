// step: no chain: a block adds up what all have had since its last tile
// takes: n <= 268435456
// needs: sm_90
//
// A tile of step 05 waits until another one knows everything before it, and that one waited, too. Here a tile asks for
// nothing but sums of tiles, which need nothing that comes before them. A block keeps the sum of all tiles before its
// last one; the tiles since then are as many as there are blocks, 132 on an H200, and one warp reads their sums at
// once. That is 1 KB from L2 for 32 KB of the array.
//
// Sums carry the number of the launch, so nothing is cleared before it: at 2^24 elements that is 2 us of 39.
//
// Expected: 0.95 of a copy at 2^28, which is what step 05 takes if it does not look back at all.
//
// Found (H200, 2026-11-29): 0.96 of a copy at 2^28, 0.88 at 2^24; step 05 0.84 and 0.72 in the same run. Where block b
// has tiles b, b + 132, ... instead of the next that is left: the same at 2^24, 0.945 at 2^28. Tiles of 4096 with twice
// as many places: 0.93.
#include "stages.h"

namespace {

constexpr int kWindows = 5;

// A launch has a number, which tells its sums from those of the launches before it; so nothing needs to be cleared.
struct Progress {
  unsigned launches, ended, next_tile, unused;
  unsigned long long sums[kMostTiles];  // Tagged with the number of the launch
};
__device__ Progress progress;

__device__ __forceinline__ unsigned number_of_launch() {
  unsigned before;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
               : "=r"(before)
               : "l"(__cvta_generic_to_global(&progress.launches))
               : "memory");
  return before + 1;
}

// The last block that has nothing more to ask for counts the launch.
__device__ void end_of_block(unsigned launch) {
  if (atomicInc(&progress.ended, gridDim.x - 1) != gridDim.x - 1) return;
  progress.next_tile = 0;
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(&progress.launches)), "r"(launch)
               : "memory");
}

// The sum of the tiles from `begin` to `end`, by one warp. 160 looks are on their way at a time; they are repeated
// until all have found what this launch has published.
__device__ float sum_of_tiles(int begin, int end, unsigned launch) {
  int lane = int(threadIdx.x) % 32;
  float sum = 0;
  for (int first = begin; first < end;) {
    Tagged seen[kWindows];
#pragma unroll
    for (int w = 0; w < kWindows; ++w) seen[w] = look(&progress.sums[min(first + w * 32 + lane, end - 1)]);
    bool complete = true;
    float part = 0;
#pragma unroll
    for (int w = 0; w < kWindows; ++w) {
      complete &= seen[w].tag == launch;
      part += first + w * 32 + lane < end ? seen[w].value : 0.0f;
    }
    if (!__all_sync(0xffffffffu, complete)) continue;
    sum += part;
    first += kWindows * 32;
  }
  return sum_of_warp(sum);
}

__global__ void __launch_bounds__(kThreads, 1) scan(const float* in, float* out, int n) {
  extern __shared__ __align__(128) uint4 ring[];
  __shared__ Room room;
  Work work{in, out, ring, size_t(n), size_t(n) / 4, (n + kTile - 1) / kTile};
  int warp = int(threadIdx.x) / 32;
  unsigned launch = number_of_launch();
  if (threadIdx.x == 0) room.init();
  __syncthreads();
  if (warp < kScanWarps) {
    scan_piece(work, room, warp);
  } else if (warp < kScanWarps + kAddWarps) {
    add_up(work, room, warp - kScanWarps, [&](int tile, float sum) { publish(&progress.sums[tile], {launch, sum}); });
  } else if (warp == kScanWarps + kAddWarps) {
    float before = 0;
    int last = 0;  // `before` is of the tiles before this one
    look_for_all(work, room, [&](int tile, float) {
      before += sum_of_tiles(last, tile, launch);
      last = tile;
      return before;
    });
  } else if (threadIdx.x % 32 == 0) {
    ask(work, room, &progress.next_tile);
    end_of_block(launch);
  }
}

}  // namespace

extern "C" void solve(const float* in, float* out, int n) {
  int tiles = (n + kTile - 1) / kTile;
  Launch how = persistent(scan, kThreads, kStages * kTileVectors * 16, 1, tiles);
  how.together = true;
  run(scan, how, in, out, n);
}
