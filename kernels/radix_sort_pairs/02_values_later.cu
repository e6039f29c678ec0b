// step: values come when the keys have gone, and take the same way
// takes: n < 268435456
// needs: sm_80
//
// Keys and values pass through the same four bytes of shared memory, one after the other, so a tile can be larger. For
// that a thread keeps, of each element, its place in the sorted tile, and of each element that it writes, the digit: 16
// and 8 bits. Values are loaded when the keys have left their registers; until then they wait in L2.
//
// Expected: longer runs of a digit, and fewer sectors that are written in parts.
//
// Found (H200, 2026-11-29): 1.86 ms for 2^26 pairs, 1.035 times CUB in the same run. The pipe to shared memory is busy
// for 85 % of the time (ncu). 256 x 40 pairs: the same; 512 x 20: 1.90 ms. Without asking L2 for values first: 2 %
// more. With values loaded before the keys are written: 2.1 to 2.4 ms, since registers run out.
#include "pairs.h"

namespace {

constexpr int kThreads = 384, kEach = 28, kTile = kThreads * kEach;
static_assert(kEach % 4 == 0 && kTile <= 1 << 16);
using Room = SweepRoom<unsigned, kThreads, kEach>;

// Numbers of kBits bits, several in a register; k is known to the compiler.
template <int kBits>
struct Packed {
  static constexpr int kOfWord = 32 / kBits;
  unsigned words[kEach / kOfWord] = {};
  __device__ __forceinline__ void set(int k, unsigned x) { words[k / kOfWord] |= x << k % kOfWord * kBits; }
  __device__ __forceinline__ unsigned get(int k) const {
    return words[k / kOfWord] >> k % kOfWord * kBits & ((1u << kBits) - 1);
  }
};

template <bool kWhole>
__device__ __forceinline__ void sweep_tile_twice(const Pairs& pairs, Room& room, const unsigned* begins,
                                                 unsigned* states, int n, int pass, int tile) {
  int thread = int(threadIdx.x), shift = pass * 8;
  size_t first = size_t(tile) * kTile + size_t(thread / 32 * (32 * kEach) + thread % 32);
  Packed<16> places;
  Packed<8> digits;
  {
    unsigned keys[kEach];
#pragma unroll
    for (int k = 0; k < kEach; ++k)
      keys[k] = kWhole || first + k * 32 < size_t(n) ? __ldcs(&pairs.keys_in[first + k * 32]) : 0xffffffffu;
    count_in_warps(keys, shift, room.places);
    counts_to_places(room.places);
    publish_tile(room, states, pass, tile);
    for_each_place(keys, shift, room.places, [&](int k, unsigned place) {
      places.set(k, place);
      room.sorted[place] = keys[k];
    });
  }
  if (int lane = thread % 32; lane < kEach && (kWhole || first + lane * 31 < size_t(n)))  // a line of the warp each
    asm volatile(
        "prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(&pairs.values_in[first - lane + lane * 32])));
  find_bases(room, begins, states, pass, tile);
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    unsigned i = unsigned(thread + k * kThreads), key = room.sorted[i], digit = digit_of(key, shift);
    digits.set(k, digit);
    unsigned place = room.bases[digit] + i;
    if (kWhole || place < unsigned(n)) pairs.keys_out[place] = key;
  }
  unsigned values[kEach];
#pragma unroll
  for (int k = 0; k < kEach; ++k)
    values[k] = kWhole || first + k * 32 < size_t(n) ? __ldcs(&pairs.values_in[first + k * 32]) : 0;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kEach; ++k) room.sorted[places.get(k)] = values[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    unsigned i = unsigned(thread + k * kThreads), place = room.bases[digits.get(k)] + i;
    if (kWhole || place < unsigned(n)) pairs.values_out[place] = room.sorted[i];
  }
}

__global__ void __launch_bounds__(kThreads, 2)
    sweep_twice(Pairs pairs, const unsigned* begins, unsigned* next_tile, unsigned* states, int n, int pass) {
  extern __shared__ __align__(16) unsigned char memory[];
  Room& room = *reinterpret_cast<Room*>(memory);
  if (threadIdx.x == 0) room.tile = atomicAdd(next_tile, 1u);
  __syncthreads();
  int tile = int(room.tile);
  if ((size_t(tile) + 1) * kTile <= size_t(n))
    sweep_tile_twice<true>(pairs, room, begins, states, n, pass, tile);
  else
    sweep_tile_twice<false>(pairs, room, begins, states, n, pass, tile);
}

}  // namespace

extern "C" void solve(const unsigned* keys, const unsigned* values, unsigned* sorted, unsigned* moved,
                      unsigned* spare_keys, unsigned* spare_values, unsigned* counts, int n) {
  sort_by_sweeps(sweep_twice, kThreads, kTile, int(sizeof(Room)), keys, counts, n,
                 [&](int pass) { return pairs_of_pass(keys, values, sorted, moved, spare_keys, spare_values, pass); });
}
