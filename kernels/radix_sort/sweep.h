// A sweep: one kernel that sorts by one digit, in one read and one write of the elements.
//
// A tile publishes how many elements it has of each digit, puts them into shared memory in the order of the digit,
// learns what the tiles before it have by looking back (Adinets and Merrill, "Onesweep", arXiv 2206.01784), and writes.
// Neighbouring threads then write neighbouring elements, some 30 of a digit.
//
// `Arrays` says what is sorted: Keys here, or pairs (../radix_sort_pairs/pairs.h).
#pragma once

#include "../parts/launch.h"
#include "places.h"

struct Keys {
  using Element = unsigned;
  const unsigned* in;
  unsigned* out;
  __device__ Element load(size_t i) const { return __ldcs(&in[i]); }
  __device__ void store(size_t i, Element key) const { out[i] = key; }
  __device__ static Element largest() { return 0xffffffffu; }
};

template <class Element, int kThreads, int kEach>
struct SweepRoom {
  Places<kThreads / 32> places;
  alignas(8) Element sorted[kThreads * kEach];
  unsigned bases[kBins];  // what to add to a place in the sorted tile for the place in memory
  unsigned tile;
};

template <class Room>
__device__ __forceinline__ void publish_tile(Room& room, unsigned* states, int pass, int tile) {
  unsigned tag = unsigned(pass) * 2 + 1;
  if (threadIdx.x < kBins)
    publish(&states[size_t(tile) * kBins + threadIdx.x], tile ? tag : tag + 1, room.places.totals[threadIdx.x]);
}

// Looks back, and publishes what that brings. The whole block meets.
template <class Room>
__device__ __forceinline__ void find_bases(Room& room, const unsigned* begins, unsigned* states, int pass, int tile) {
  unsigned tag = unsigned(pass) * 2 + 1, digit = threadIdx.x;
  if (digit < kBins) {
    unsigned before = look_back(states + digit, tile, tag);
    if (tile) publish(&states[size_t(tile) * kBins + digit], tag + 1, before + room.places.totals[digit]);
    room.bases[digit] = begins[digit] + before - room.places.starts[digit];
  }
  __syncthreads();
}

template <bool kWhole, int kThreads, int kEach, class Arrays, class Room>
__device__ __forceinline__ void sweep_tile(const Arrays& arrays, Room& room, const unsigned* begins, unsigned* states,
                                           int n, int pass, int tile) {
  int thread = int(threadIdx.x), shift = pass * 8;
  size_t first = size_t(tile) * (kThreads * kEach) + size_t(thread / 32 * (32 * kEach) + thread % 32);
  // Elements beyond the end have the largest key; as the last of all they come to stand beyond the end again.
  typename Arrays::Element elements[kEach];
#pragma unroll
  for (int k = 0; k < kEach; ++k)
    elements[k] = kWhole || first + k * 32 < size_t(n) ? arrays.load(first + k * 32) : Arrays::largest();
  count_in_warps(elements, shift, room.places);
  counts_to_places(room.places);
  publish_tile(room, states, pass, tile);
  put_in_order(elements, shift, room.places, room.sorted);
  find_bases(room, begins, states, pass, tile);
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    typename Arrays::Element element = room.sorted[thread + k * kThreads];
    unsigned place = room.bases[digit_of(key_of(element), shift)] + unsigned(thread + k * kThreads);
    if (kWhole || place < unsigned(n)) arrays.store(place, element);
  }
}

// `states`: a word for each digit of each tile, with the tags of earlier passes or zeros.
template <class Arrays, int kThreads, int kEach, int kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocks)
    sweep(Arrays arrays, const unsigned* begins, unsigned* next_tile, unsigned* states, int n, int pass) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto& room = *reinterpret_cast<SweepRoom<typename Arrays::Element, kThreads, kEach>*>(memory);
  if (threadIdx.x == 0) room.tile = atomicAdd(next_tile, 1u);
  __syncthreads();
  int tile = int(room.tile);
  if ((size_t(tile) + 1) * (kThreads * kEach) <= size_t(n))
    sweep_tile<true, kThreads, kEach>(arrays, room, begins, states, n, pass, tile);
  else
    sweep_tile<false, kThreads, kEach>(arrays, room, begins, states, n, pass, tile);
}

// Four times `kernel`, with arrays(pass). `counts` has 4096 words, then 256 for each tile.
template <class Arrays, class ArraysOfPass>
void sort_by_sweeps(void (*kernel)(Arrays, const unsigned*, unsigned*, unsigned*, int, int), int threads, int tile,
                    int shared_bytes, const unsigned* keys, unsigned* counts, int n, ArraysOfPass arrays) {
  int processors = 0, tiles = (n + tile - 1) / tile;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  unsigned *next_tiles = counts + 4 * kBins, *states = counts + 4096;
  cudaMemsetAsync(counts, 0, (4096 + size_t(tiles) * kBins) * sizeof(unsigned));
  must(cudaFuncSetAttribute(count_digits, cudaFuncAttributeMaxDynamicSharedMemorySize, kCountBytes), "shared memory");
  must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes), "shared memory");
  count_digits<<<processors, kCountThreads, kCountBytes>>>(keys, counts, n);
  begin_digits<<<4, kBins>>>(counts);
  for (int pass = 0; pass < 4; ++pass)
    kernel<<<tiles, threads, shared_bytes>>>(arrays(pass), counts + pass * kBins, next_tiles + pass, states, n, pass);
}

template <int kThreads, int kEach, int kBlocks, class ArraysOfPass>
void sort_by_sweeps(const unsigned* keys, unsigned* counts, int n, ArraysOfPass arrays) {
  using Arrays = decltype(arrays(0));
  sort_by_sweeps(&sweep<Arrays, kThreads, kEach, kBlocks>, kThreads, kThreads * kEach,
                 int(sizeof(SweepRoom<typename Arrays::Element, kThreads, kEach>)), keys, counts, n, arrays);
}
