// step: warps with roles: tiles pass from those that ask to those that add, look back and scan
// takes: n <= 268435456
// needs: sm_90
//
// In the steps before, all warps of a block wait while one looks back, and nothing is loaded into their registers. Here
// no role waits for one that comes after it: sums are published as soon as tiles land, and tiles wait in shared memory
// (stages.h).
// The looking warp asks for the states of 128 tiles at once: as many as all blocks have in work, so that one latency of
// the L2 cache does. A block takes the number of its next tile while it works on others; it works on them in order, so
// the block with the lowest number never waits.
//
// Expected: 0.9 of a copy at 2^28: six tiles in work on each SM, where two would hide the latency of loads.
//
// Found (H200, 2026-11-28): 0.75 of a copy at 2^24; 0.85 at 2^28, and 1.17 times as fast as CUB in the same run. Two
// blocks on an SM with tiles of 4096: 0.83; tiles of 12,288 with four places: 0.35. Step 03 with tiles of 12,288 or
// 16,384 and three or four windows of 32 at once was no faster than with one: 0.69. Stores that stay in L2 (st without
// .cs) cost a quarter.
#include "stages.h"

namespace {

constexpr int kWindows = 4;
enum : unsigned { kNothing, kOwnSum, kAllBefore };

struct Progress {
  unsigned next_tile, unused;
  unsigned long long states[kMostTiles];  // Tagged
};
__device__ Progress progress;

// Everything before `tile`, by one warp. Lane 0 has the nearest tile of each window.
__device__ float look_back(int tile) {
  int lane = int(threadIdx.x) % 32, last = tile - 1;
  float before = 0;
  for (;;) {
    Tagged seen[kWindows];
#pragma unroll
    for (int w = 0; w < kWindows; ++w) {
      int other = last - w * 32 - lane;
      seen[w] = look(&progress.states[max(other, 0)]);  // no branch between the looks
      if (other < 0) seen[w] = {kAllBefore, 0};
    }
#pragma unroll
    for (int w = 0; w < kWindows; ++w) {
      unsigned complete = __ballot_sync(0xffffffffu, seen[w].tag == kAllBefore);
      unsigned missing = __ballot_sync(0xffffffffu, seen[w].tag == kNothing);
      unsigned needed = complete ? complete ^ (complete - 1) : 0xffffffffu;  // up to the first that is complete
      if (missing & needed) break;                                           // look again from here
      before += sum_of_warp(needed >> lane & 1 ? seen[w].value : 0.0f);
      if (complete) return before;
      last -= 32;
    }
  }
}

__global__ void __launch_bounds__(kThreads, 1) scan(const float* in, float* out, int n) {
  extern __shared__ __align__(128) uint4 ring[];
  __shared__ Room room;
  Work work{in, out, ring, size_t(n), size_t(n) / 4, (n + kTile - 1) / kTile};
  int warp = int(threadIdx.x) / 32;
  if (threadIdx.x == 0) room.init();
  __syncthreads();
  if (warp < kScanWarps) {
    scan_piece(work, room, warp);
  } else if (warp < kScanWarps + kAddWarps) {
    add_up(work, room, warp - kScanWarps, [](int tile, float sum) {
      if (tile > 0) publish(&progress.states[tile], {kOwnSum, sum});
    });
  } else if (warp == kScanWarps + kAddWarps) {
    look_for_all(work, room, [](int tile, float sum) {
      float before = tile > 0 ? look_back(tile) : 0.0f;
      if (threadIdx.x % 32 == 0) publish(&progress.states[tile], {kAllBefore, before + sum});
      return before;
    });
  } else if (threadIdx.x % 32 == 0) {
    ask(work, room, &progress.next_tile);
  }
}

}  // namespace

extern "C" void solve(const float* in, float* out, int n) {
  int tiles = (n + kTile - 1) / kTile;
  void* states = nullptr;
  cudaGetSymbolAddress(&states, progress);
  cudaMemsetAsync(states, 0, 8 + size_t(tiles) * 8);
  run(scan, persistent(scan, kThreads, kStages * kTileVectors * 16, 1, tiles), in, out, n);
}
