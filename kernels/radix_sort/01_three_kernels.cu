// step: count, add up, move: three kernels for each digit of eight bits
// needs: sm_80
//
// The first kernel counts the digits of each tile, the second turns the counts into places (all tiles' zeros, then all
// tiles' ones, …), and the third moves each key to its place.
//
// Expected: a sixth of the roof. Each digit reads the keys twice and writes them once. The lanes of a warp write to
// many places, four bytes each.
//
// Found: not measured yet.
#include "tile.h"

namespace {

__global__ void __launch_bounds__(kThreads) count(const unsigned* in, unsigned* counts, int n, int shift, int tiles) {
  __shared__ unsigned bins[kBins];
  if (threadIdx.x < kBins) bins[threadIdx.x] = 0;
  __syncthreads();
  unsigned keys[kKeys];
  load_tile(keys, in, int(blockIdx.x), n);
#pragma unroll
  for (unsigned key : keys) atomicAdd(&bins[digit_of(key, shift)], 1u);
  __syncthreads();
  if (threadIdx.x < kBins) counts[size_t(threadIdx.x) * tiles + blockIdx.x] = bins[threadIdx.x];
}

// One block: an exclusive scan.
__global__ void __launch_bounds__(1024) add_up(unsigned* counts, int entries) {
  __shared__ unsigned of_warps[2][32];
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  unsigned carry = 0;
  for (int first = 0, turn = 0; first < entries; first += 1024, turn ^= 1) {
    int i = first + int(threadIdx.x);
    unsigned own = i < entries ? counts[i] : 0, until = own;
    for (int distance = 1; distance < 32; distance *= 2) {
      unsigned other = __shfl_up_sync(0xffffffffu, until, distance);
      if (lane >= distance) until += other;
    }
    if (lane == 31) of_warps[turn][warp] = until;
    __syncthreads();
    unsigned other = of_warps[turn][lane];
    unsigned earlier = __reduce_add_sync(0xffffffffu, lane < warp ? other : 0u);
    if (i < entries) counts[i] = carry + earlier + until - own;
    carry += __reduce_add_sync(0xffffffffu, other);
  }
}

__global__ void __launch_bounds__(kThreads)
    move(const unsigned* in, unsigned* out, const unsigned* places, int n, int shift, int tiles) {
  __shared__ TileRoom room;
  unsigned keys[kKeys], ranks[kKeys];
  load_tile(keys, in, int(blockIdx.x), n);
  rank_tile(keys, ranks, shift, room);
#pragma unroll
  for (int k = 0; k < kKeys; ++k) {
    unsigned place = places[size_t(digit_of(keys[k], shift)) * tiles + blockIdx.x] + ranks[k];
    if (place < unsigned(n)) out[place] = keys[k];
  }
}

}  // namespace

extern "C" void solve(const unsigned* in, unsigned* out, unsigned* spare, unsigned* counts, int n) {
  int tiles = (n + kTile - 1) / kTile;
  const unsigned* from = in;
  for (int pass = 0; pass < 4; ++pass) {
    unsigned* to = pass % 2 ? out : spare;
    count<<<tiles, kThreads>>>(from, counts, n, pass * 8, tiles);
    add_up<<<1, 1024>>>(counts, tiles * kBins);
    move<<<tiles, kThreads>>>(from, to, counts, n, pass * 8, tiles);
    from = to;
  }
}
