// A histogram of up to 65,536 bins in the shared memory of one SM: two counters of 16 bits share a word.
//
//     words[i] = count of bin i + 32,768  |  count of bin i         128 KB
//
// One atomic addition of 1 or of 65,536 counts a key, and returns what was there: so the thread that makes a counter
// wrap knows it, and adds 65,536 to the bin in global memory. Wraps are rare, one of 65,536 additions.
//
// A lower counter that wraps adds 1 to the upper one. The thread that did it takes it away again; until then the upper
// counter is one too large, and other threads may add to it. So every change that makes the upper counter pass its end
// is counted, in either direction: up, and down when the 1 is taken away. What is in global memory is right once all
// threads are done.
//
// Keys that are all equal would queue up at one word. So the lanes of a warp compare their keys first: if all 128 of a
// load are equal, one addition counts them all.
#pragma once

#include "../parts/launch.h"
#include "../parts/vectors.h"

constexpr int kPackedThreads = 1024, kPackedWords = 32768, kPackedFlight = 4, kWrap = 65536;

__device__ __forceinline__ void count_packed(unsigned* words, unsigned* counts, unsigned key, unsigned times) {
  bool upper = key >= kPackedWords;
  unsigned *word = &words[key % kPackedWords], shift = upper ? 16 : 0;
  unsigned before = atomicAdd(word, times << shift);
  if ((before >> shift & 0xffff) + times < kWrap) return;
  atomicAdd(&counts[key], unsigned(kWrap));
  if (upper) return;
  unsigned* neighbour = &counts[key + kPackedWords];  // too large by 1 for a moment
  if (before >> 16 == 0xffff) atomicAdd(neighbour, unsigned(kWrap));
  if (atomicSub(word, unsigned(kWrap)) >> 16 == 0) atomicSub(neighbour, unsigned(kWrap));
}

// All lanes of a warp.
__device__ __forceinline__ void count_four(unsigned* words, unsigned* counts, uint4 keys) {
  unsigned first = __shfl_sync(0xffffffffu, keys.x, 0);
  bool same = keys.x == first && keys.y == first && keys.z == first && keys.w == first;
  if (__all_sync(0xffffffffu, same)) {
    if (threadIdx.x % 32 == 0) count_packed(words, counts, first, 128);
    return;
  }
  count_packed(words, counts, keys.x, 1), count_packed(words, counts, keys.y, 1);
  count_packed(words, counts, keys.z, 1), count_packed(words, counts, keys.w, 1);
}

static __global__ void __launch_bounds__(kPackedThreads)
    count_in_halves(const int* keys, unsigned* counts, int n, int bins) {
  extern __shared__ unsigned words[];
  const uint4* vectors = reinterpret_cast<const uint4*>(keys);
  int thread = int(threadIdx.x);
  for (int i = thread; i < kPackedWords; i += kPackedThreads) words[i] = 0;
  __syncthreads();
  size_t count = size_t(n) / 4, stride = size_t(gridDim.x) * kPackedThreads;
  size_t i = size_t(blockIdx.x) * kPackedThreads + threadIdx.x, last_lane = i | 31;
  for (; last_lane + (kPackedFlight - 1) * stride < count;
       i += kPackedFlight * stride, last_lane += kPackedFlight * stride) {
    uint4 four[kPackedFlight];
#pragma unroll
    for (int f = 0; f < kPackedFlight; ++f) four[f] = load_once(&vectors[i + f * stride]);
#pragma unroll
    for (int f = 0; f < kPackedFlight; ++f) count_four(words, counts, four[f]);
  }
  for (; last_lane < count; i += stride, last_lane += stride) count_four(words, counts, load_once(&vectors[i]));
  if (i < count) {  // of the last warp, some lanes
    uint4 four = load_once(&vectors[i]);
    count_packed(words, counts, four.x, 1), count_packed(words, counts, four.y, 1);
    count_packed(words, counts, four.z, 1), count_packed(words, counts, four.w, 1);
  }
  if (blockIdx.x == 0 && thread < n % 4) count_packed(words, counts, unsigned(keys[n - 1 - thread]), 1);
  __syncthreads();
  for (int bin = thread; bin < kPackedWords; bin += kPackedThreads) {
    unsigned word = words[bin];
    if (word & 0xffff) atomicAdd(&counts[bin], word & 0xffff);
    if (word >> 16) atomicAdd(&counts[bin + kPackedWords], word >> 16);
  }
}

inline void histogram_in_halves(const int* keys, unsigned* counts, int n, int bins) {
  constexpr int kKeysOfBlock = 131072;  // at least: the 128 KB of a block are set to 0 and added up once
  Launch how = persistent(count_in_halves, kPackedThreads, kPackedWords * int(sizeof(unsigned)), 1,
                          (size_t(n) + kKeysOfBlock - 1) / kKeysOfBlock);
  run(count_in_halves, how, keys, counts, n, bins);
}
