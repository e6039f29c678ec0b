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

constexpr int kCountThreads = 1024, kLook = 4;

// All four digits of all keys, a column of counters for each lane (../histogram/lanes.h).
__global__ void __launch_bounds__(kCountThreads) count(const unsigned* in, unsigned* counts, int n) {
  extern __shared__ unsigned counters[];  // [digit][bin][lane]
  int lane = int(threadIdx.x) % 32;
  for (int i = int(threadIdx.x); i < 4 * kBins * 32; i += kCountThreads) counters[i] = 0;
  __syncthreads();
  auto add = [&](unsigned key) {
#pragma unroll
    for (int digit = 0; digit < 4; ++digit)
      atomicAdd(&counters[(digit * kBins + digit_of(key, digit * 8)) * 32 + lane], 1u);
  };
  const uint4* vectors = reinterpret_cast<const uint4*>(in);
  size_t stride = size_t(gridDim.x) * kCountThreads;
#pragma unroll 4
  for (size_t i = size_t(blockIdx.x) * kCountThreads + threadIdx.x; i < size_t(n) / 4; i += stride) {
    uint4 four = __ldcs(&vectors[i]);
    add(four.x), add(four.y), add(four.z), add(four.w);
  }
  if (blockIdx.x == 0 && int(threadIdx.x) < n % 4) add(in[n - 1 - int(threadIdx.x)]);
  __syncthreads();
  for (int bin = int(threadIdx.x) / 32; bin < 4 * kBins; bin += kCountThreads / 32) {
    unsigned sum = __reduce_add_sync(0xffffffffu, counters[bin * 32 + lane]);
    if (lane == 0 && sum) atomicAdd(&counts[bin], sum);
  }
}

// A state: 28 bits of a count, above them twice the pass + 1, plus 1 if the count includes all tiles before.
__device__ __forceinline__ void publish(unsigned* state, unsigned tag, unsigned count) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(state)), "r"(tag << 28 | count)
               : "memory");
}
__device__ __forceinline__ unsigned look(const unsigned* state) {
  unsigned seen;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(__cvta_generic_to_global(state)) : "memory");
  return seen;
}

// What the tiles before have of a digit. kLook states are on their way at a time.
__device__ __forceinline__ unsigned look_back(const unsigned* states, int tile, unsigned own_tag) {
  unsigned before = 0;
  int last = tile - 1;
  while (last >= 0) {
    unsigned seen[kLook];
#pragma unroll
    for (int i = 0; i < kLook; ++i) seen[i] = look(&states[size_t(max(last - i, 0)) * kBins]);
#pragma unroll
    for (int i = 0; i < kLook; ++i) {
      unsigned tag = seen[i] >> 28;
      if (tag != own_tag && tag != own_tag + 1) break;  // not there yet: look again from here
      before += seen[i] & 0x0fffffffu;
      if (tag == own_tag + 1 || --last < 0) return before;
    }
  }
  return before;
}

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

// Where each bin begins: a block of a warp per 32 bins for each digit.
__global__ void __launch_bounds__(kBins) begin(unsigned* counts) {
  __shared__ unsigned of_warps[kBins / 32];
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  unsigned own = counts[blockIdx.x * kBins + threadIdx.x], until = own;
  for (int distance = 1; distance < 32; distance *= 2) {
    unsigned other = __shfl_up_sync(0xffffffffu, until, distance);
    if (lane >= distance) until += other;
  }
  if (lane == 31) of_warps[warp] = until;
  __syncthreads();
  for (int w = 0; w < warp; ++w) until += of_warps[w];
  counts[blockIdx.x * kBins + threadIdx.x] = until - own;
}

}  // namespace

extern "C" void solve(const unsigned* in, unsigned* out, unsigned* spare, unsigned* counts, int n) {
  int processors = 0, tiles = (n + kTile - 1) / kTile;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  unsigned *next_tiles = counts + 4 * kBins, *states = counts + 4096;
  cudaMemsetAsync(counts, 0, (4096 + size_t(tiles) * kBins) * sizeof(unsigned));
  cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize, 4 * kBins * 32 * 4);
  cudaFuncSetAttribute(sweep, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Room));
  count<<<processors, kCountThreads, 4 * kBins * 32 * 4>>>(in, counts, n);
  begin<<<4, kBins>>>(counts);
  const unsigned* from = in;
  for (int pass = 0; pass < 4; ++pass) {
    unsigned* to = pass % 2 ? out : spare;
    sweep<<<tiles, kThreads, sizeof(Room)>>>(from, to, counts + pass * kBins, next_tiles + pass, states, n, pass);
    from = to;
  }
}
