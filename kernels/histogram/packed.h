// A histogram of up to 65,536 bins in the shared memory of one SM: two counters of 16 bits share a word.
//
//     words[i] = count of bin i + 32,768  |  count of bin i         128 KB
//
// One atomic addition of 1 or of 65,536 counts a key, and returns what was there: so the thread that makes a counter
// wrap knows it, and adds 65,536 to the bin in global memory. Wraps are rare, one of 65,536 additions. So a thread lets
// eight additions go before it looks at the first answer, and looks at all of them together.
//
// A lower counter that wraps adds 1 to the upper one. The thread that did it takes it away again; until then the upper
// counter is one too large, and other threads may add to it. So every change that makes the upper counter pass its end
// is counted, in either direction: up, and down when the 1 is taken away. What is in global memory is right once all
// threads are done.
//
// Keys that are all equal would queue up at one word. So the lanes of a warp compare their keys first: if all 256 of
// two loads are equal, one addition counts them all.
#pragma once

#include "../parts/launch.h"
#include "../parts/vectors.h"

constexpr int kPackedThreads = 1024, kPackedWords = 32768, kPackedFlight = 4, kPackedBatch = 2, kWrap = 65536;
static_assert(kPackedFlight % kPackedBatch == 0);

__device__ __forceinline__ int shift_of(unsigned key) { return key >= kPackedWords ? 16 : 0; }

// Returns the word as it was.
__device__ __forceinline__ unsigned add_packed(unsigned* words, unsigned key, unsigned times) {
  return atomicAdd(&words[key % kPackedWords], times << shift_of(key));
}
__device__ __forceinline__ bool wraps(unsigned key, unsigned before, unsigned times) {
  return (before >> shift_of(key) & 0xffff) + times >= kWrap;
}
__device__ __forceinline__ void carry(unsigned* words, unsigned* counts, unsigned key, unsigned before) {
  atomicAdd(&counts[key], unsigned(kWrap));
  if (key >= kPackedWords) return;
  unsigned* neighbour = &counts[key + kPackedWords];  // too large by 1 for a moment
  if (before >> 16 == 0xffff) atomicAdd(neighbour, unsigned(kWrap));
  if (atomicSub(&words[key], unsigned(kWrap)) >> 16 == 0) atomicSub(neighbour, unsigned(kWrap));
}
__device__ __forceinline__ void count_packed(unsigned* words, unsigned* counts, unsigned key, unsigned times) {
  unsigned before = add_packed(words, key, times);
  if (wraps(key, before, times)) carry(words, counts, key, before);
}

// All lanes of a warp: the keys of kLoads vectors.
template <int kLoads>
__device__ __forceinline__ void count_vectors(unsigned* words, unsigned* counts, const uint4 (&vectors)[kLoads]) {
  unsigned first = __shfl_sync(0xffffffffu, vectors[0].x, 0);
  bool same = true;
#pragma unroll
  for (uint4 v : vectors) same &= v.x == first && v.y == first && v.z == first && v.w == first;
  if (__all_sync(0xffffffffu, same)) {
    if (threadIdx.x % 32 == 0) count_packed(words, counts, first, 32 * kLoads * 4);
    return;
  }
  unsigned before[kLoads][4];
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    unsigned keys[4] = {vectors[i].x, vectors[i].y, vectors[i].z, vectors[i].w};
#pragma unroll
    for (int k = 0; k < 4; ++k) before[i][k] = add_packed(words, keys[k], 1);
  }
  bool any = false;
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    unsigned keys[4] = {vectors[i].x, vectors[i].y, vectors[i].z, vectors[i].w};
#pragma unroll
    for (int k = 0; k < 4; ++k) any |= wraps(keys[k], before[i][k], 1);
  }
  if (!any) return;
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    unsigned keys[4] = {vectors[i].x, vectors[i].y, vectors[i].z, vectors[i].w};
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (wraps(keys[k], before[i][k], 1)) carry(words, counts, keys[k], before[i][k]);
  }
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
  auto whole = [&] { return last_lane + (kPackedFlight - 1) * stride < count; };
  uint4 next[kPackedFlight];
  auto load = [&] {
#pragma unroll
    for (int f = 0; f < kPackedFlight; ++f) next[f] = load_once(&vectors[i + f * stride]);
  };
  bool more = whole();
  if (more) load();
  while (more) {  // the next loads are on their way while these are counted
    uint4 now[kPackedFlight];
#pragma unroll
    for (int f = 0; f < kPackedFlight; ++f) now[f] = next[f];
    i += kPackedFlight * stride, last_lane += kPackedFlight * stride;
    if ((more = whole())) load();
#pragma unroll
    for (int f = 0; f < kPackedFlight; f += kPackedBatch) {
      uint4 batch[kPackedBatch];
#pragma unroll
      for (int b = 0; b < kPackedBatch; ++b) batch[b] = now[f + b];
      count_vectors(words, counts, batch);
    }
  }
  for (; last_lane < count; i += stride, last_lane += stride) {
    uint4 one[1] = {load_once(&vectors[i])};
    count_vectors(words, counts, one);
  }
  if (i < count) {  // of the last warp, some lanes
    uint4 four = load_once(&vectors[i]);
    count_packed(words, counts, four.x, 1), count_packed(words, counts, four.y, 1);
    count_packed(words, counts, four.z, 1), count_packed(words, counts, four.w, 1);
  }
  if (blockIdx.x == 0 && thread < n % 4) count_packed(words, counts, unsigned(keys[n - 1 - thread]), 1);
  __syncthreads();
  int first = int(size_t(blockIdx.x) * kPackedWords / gridDim.x) & ~31;  // blocks begin at different bins
  for (int place = thread; place < kPackedWords; place += kPackedThreads) {
    int bin = (first + place) % kPackedWords;
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
