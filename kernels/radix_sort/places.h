// The elements of a tile, keys or pairs, and their places in the tile when it is sorted by one digit.
//
//     1  each warp counts the digits of its elements
//     2  the counts become places: where in the sorted tile the warp's next element with the digit goes
//     3  step by step, 32 elements at a time, a lane sets its bit in a word of its digit, and reads there which lanes
//     have the same one,
//        and the next place. Its own place is that plus how many of those lanes are lower; the lowest sets the next
//        place
//
// The word and the place lie side by side, so one access of eight bytes reads both, and one writes both. Equal digits
// keep their order. A warp has kEach x 32 neighbouring elements, in steps of 32.
#pragma once

#include "digits.h"

__device__ __forceinline__ unsigned key_of(unsigned key) { return key; }
__device__ __forceinline__ unsigned key_of(uint2 pair) { return pair.x; }

template <int kWarps>
struct Places {
  uint2 next[kWarps][kBins];  // x: lanes with the digit, 0 between steps; y: the count of the warp, then its next place
  unsigned totals[kBins], starts[kBins];
  unsigned of_warps[kBins / 32];
};

template <int kWarps, class Element, int kEach>
__device__ __forceinline__ void count_in_warps(const Element (&elements)[kEach], int shift, Places<kWarps>& places) {
  uint2* next = places.next[threadIdx.x / 32];
#pragma unroll
  for (int bin = int(threadIdx.x) % 32; bin < kBins; bin += 32) next[bin] = {0, 0};
  __syncwarp();
#pragma unroll
  for (const Element& element : elements) atomicAdd(&next[digit_of(key_of(element), shift)].y, 1u);
  __syncthreads();
}

// By the whole block; each of its first 256 threads has a digit.
template <int kWarps>
__device__ __forceinline__ void counts_to_places(Places<kWarps>& places) {
  static_assert(kWarps * 32 >= kBins);
  int thread = int(threadIdx.x);
  unsigned total = 0;
  if (thread < kBins)
#pragma unroll
    for (int w = 0; w < kWarps; ++w) total += places.next[w][thread].y;
  unsigned place = sum_of_bins_before(total, places.of_warps);
  if (thread < kBins) {
    places.totals[thread] = total, places.starts[thread] = place;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      unsigned own = places.next[w][thread].y;
      places.next[w][thread].y = place;
      place += own;
    }
  }
  __syncthreads();
}

// Calls use(k, place of elements[k]), in the order of k.
template <int kWarps, class Element, int kEach, class Use>
__device__ __forceinline__ void for_each_place(const Element (&elements)[kEach], int shift, Places<kWarps>& places,
                                               Use use) {
  uint2* next = places.next[threadIdx.x / 32];
  unsigned bit = 1u << threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    uint2* of_digit = &next[digit_of(key_of(elements[k]), shift)];
    atomicOr(&of_digit->x, bit);
    __syncwarp();
    uint2 seen = *of_digit;
    unsigned lower = seen.x & (bit - 1);
    __syncwarp();
    if (lower == 0) *of_digit = {0, seen.y + unsigned(__popc(seen.x))};
    __syncwarp();
    use(k, seen.y + unsigned(__popc(lower)));
  }
}

template <int kWarps, class Element, int kEach>
__device__ __forceinline__ void put_in_order(const Element (&elements)[kEach], int shift, Places<kWarps>& places,
                                             Element* sorted) {
  for_each_place(elements, shift, places, [&](int k, unsigned place) { sorted[place] = elements[k]; });
}
