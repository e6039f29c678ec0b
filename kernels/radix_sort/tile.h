// The keys of a tile and their order by one digit of eight bits.
//
// A warp holds kKeys x 32 neighbouring keys, in steps of 32. In each step a lane sets its bit in a word of its digit,
// and reads there which lanes have the same one; a key's rank among the warp's keys with its digit is what the warp
// counted before, plus how many of those lanes are lower. So equal digits keep their order, which sorting digit by
// digit from the lowest needs. Each warp has words and counters of its own; afterwards the counters are added up over
// the warps.
//
//     keys of digit 3 in the tile:   [ warp 0 ][ warp 1 ] ...      rank = what the warps before have + rank in the warp
#pragma once

#include "../parts/block_combine.h"
#include "digits.h"

constexpr int kThreads = 384, kWarps = kThreads / 32, kKeys = 20, kTile = kThreads * kKeys;

struct TileRoom {
  unsigned lanes[kWarps][kBins];   // per warp: those with a digit; 0 between steps
  unsigned counts[kWarps][kBins];  // per warp; then what stands before the warp within the tile's keys of the digit
  unsigned starts[kBins];          // where the digit begins in the sorted tile
  unsigned totals[kBins];
  unsigned of_warps[kBins / 32];
};

// Keys beyond the end are the largest; as the last of all keys they come to stand beyond the end again.
__device__ __forceinline__ void load_tile(unsigned (&keys)[kKeys], const unsigned* in, int tile, int n) {
  size_t first = size_t(tile) * kTile + threadIdx.x / 32 * (32 * kKeys) + threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < kKeys; ++k) keys[k] = first + k * 32 < size_t(n) ? __ldcs(&in[first + k * 32]) : 0xffffffffu;
}

// Ranks within the digit and the tile; fills `room`, which is ready to be read.
__device__ __forceinline__ void rank_tile(const unsigned (&keys)[kKeys], unsigned (&ranks)[kKeys], int shift,
                                          TileRoom& room) {
  int thread = int(threadIdx.x), warp = thread / 32, lane = thread % 32;
  unsigned *mine = room.counts[warp], *lanes = room.lanes[warp];
#pragma unroll
  for (int bin = lane; bin < kBins; bin += 32) mine[bin] = 0, lanes[bin] = 0;
  __syncwarp();
#pragma unroll
  for (int k = 0; k < kKeys; ++k) {
    unsigned digit = digit_of(keys[k], shift);
    atomicOr(&lanes[digit], 1u << lane);
    __syncwarp();
    unsigned same = lanes[digit], lower = same & ((1u << lane) - 1), before = mine[digit];
    __syncwarp();
    if (lower == 0) mine[digit] = before + unsigned(__popc(same)), lanes[digit] = 0;
    __syncwarp();
    ranks[k] = before + unsigned(__popc(lower));
  }
  __syncthreads();
  unsigned total = 0, until = 0;
  if (thread < kBins) {
#pragma unroll 4
    for (int w = 0; w < kWarps; ++w) {
      unsigned own = room.counts[w][thread];
      room.counts[w][thread] = total;
      total += own;
    }
    until = total;
    for (int distance = 1; distance < 32; distance *= 2) {
      unsigned other = __shfl_up_sync(0xffffffffu, until, distance);
      if (lane >= distance) until += other;
    }
    if (lane == 31) room.of_warps[warp] = until;
  }
  __syncthreads();
  if (thread < kBins) {
    unsigned earlier = 0;
    for (int w = 0; w < warp; ++w) earlier += room.of_warps[w];
    room.totals[thread] = total;
    room.starts[thread] = earlier + until - total;
  }
#pragma unroll
  for (int k = 0; k < kKeys; ++k) ranks[k] += room.counts[warp][digit_of(keys[k], shift)];
  __syncthreads();
}
