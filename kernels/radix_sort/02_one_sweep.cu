// step: one kernel for each digit: tiles look back for their places, and sort in shared memory before they write
// takes: n < 268435456
// needs: sm_80
//
// How often each digit occurs in all keys is counted once for all four digits, in one read. A tile's places then depend
// on the tiles before it alone, and it learns them by looking back, each digit for itself, as a scan does
// (../scan/03_look_back.cu; Adinets and Merrill, "Onesweep", arXiv 2206.01784). Keys go to shared memory in the order
// of their digits first: then neighbouring threads write neighbouring keys, 30 of a digit on average, about a
// cache line.
//
// Expected: 40 billion keys per second. Each digit reads and writes the keys once; 150 instructions per key and warp,
// most of them for the ranks, take more time than the memory.
//
// Found (H200, 2026-11-28): 1.71 ms for 2^26 keys, 39 billion per second; CUB takes 1.63 ms in the same run. Tiles of
// 384 x 20 keys are best of four sizes from 256 x 20 to 512 x 16. With eight votes of the warp to find equal digits it
// was 1.87 ms at 512 x 16, where words of lanes take 1.74; match.any took 2.62. To put the keys into shared memory
// before looking back, and not after, gained 2 %.
#include "tile.h"

namespace {

struct Room {
  TileRoom tile;
  unsigned keys[kTile];
  unsigned bases[kBins];
  unsigned number;
};

__global__ void __launch_bounds__(kThreads, 2) sweep(const unsigned* in, unsigned* out, const unsigned* totals,
                                                     unsigned* next_tile, unsigned* states, int n, int pass) {
  extern __shared__ __align__(16) unsigned char memory[];
  Room& room = *reinterpret_cast<Room*>(memory);
  int thread = int(threadIdx.x), shift = pass * 8;
  if (thread == 0) room.number = atomicAdd(next_tile, 1u);
  __syncthreads();
  int tile = int(room.number);
  unsigned keys[kKeys], ranks[kKeys], tag = unsigned(pass) * 2 + 1;
  load_tile(keys, in, tile, n);
  rank_tile(keys, ranks, shift, room.tile);
  unsigned own = 0, *state = &states[size_t(tile) * kBins + thread % kBins];
  if (thread < kBins) {
    own = room.tile.totals[thread];
    publish(state, tile ? tag : tag + 1, own);
  }
#pragma unroll
  for (int k = 0; k < kKeys; ++k) room.keys[room.tile.starts[digit_of(keys[k], shift)] + ranks[k]] = keys[k];
  if (thread < kBins) {
    unsigned before = look_back(states + thread, tile, tag);
    if (tile) publish(state, tag + 1, before + own);
    room.bases[thread] = totals[thread] + before - room.tile.starts[thread];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kKeys; ++k) {
    unsigned key = room.keys[thread + k * kThreads];
    unsigned place = room.bases[digit_of(key, shift)] + unsigned(thread + k * kThreads);
    if (place < unsigned(n)) out[place] = key;
  }
}

}  // namespace

extern "C" void solve(const unsigned* in, unsigned* out, unsigned* spare, unsigned* counts, int n) {
  int processors = 0, tiles = (n + kTile - 1) / kTile;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  unsigned *next_tiles = counts + 4 * kBins, *states = counts + 4096;
  cudaMemsetAsync(counts, 0, (4096 + size_t(tiles) * kBins) * sizeof(unsigned));
  cudaFuncSetAttribute(count_digits, cudaFuncAttributeMaxDynamicSharedMemorySize, kCountBytes);
  cudaFuncSetAttribute(sweep, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Room));
  count_digits<<<processors, kCountThreads, kCountBytes>>>(in, counts, n);
  begin_digits<<<4, kBins>>>(counts);
  const unsigned* from = in;
  for (int pass = 0; pass < 4; ++pass) {
    unsigned* to = pass % 2 ? out : spare;
    sweep<<<tiles, kThreads, sizeof(Room)>>>(from, to, counts + pass * kBins, next_tiles + pass, states, n, pass);
    from = to;
  }
}
