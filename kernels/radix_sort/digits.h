// The digits of all keys: how often each occurs, where each begins, and how a tile learns what those before it have.
//
// Four digits of eight bits, the lowest first. All are counted in one read of the keys, since sorting by one digit does
// not change how often the others occur.
#pragma once

#include <cuda_runtime.h>

constexpr int kBins = 256, kCountThreads = 1024, kCountBytes = 4 * kBins * 32 * 4, kLook = 4;

__device__ __forceinline__ unsigned digit_of(unsigned key, int shift) { return key >> shift & (kBins - 1); }

// What the bins before a thread's have, by the first kBins threads; the others meet at the barrier alone. `of_warps`: a
// word for each 32.
__device__ __forceinline__ unsigned sum_of_bins_before(unsigned own, unsigned* of_warps) {
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  unsigned until = own;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    unsigned other = __shfl_up_sync(0xffffffffu, until, distance);
    if (lane >= distance) until += other;
  }
  if (lane == 31 && warp < kBins / 32) of_warps[warp] = until;
  __syncthreads();
  unsigned before = until - own;
#pragma unroll
  for (int w = 0; w < kBins / 32; ++w) before += w < warp ? of_warps[w] : 0;
  return before;
}

// A column of counters for each lane (../histogram/lanes.h). `counts`: [digit][bin], zeros before.
static __global__ void __launch_bounds__(kCountThreads) count_digits(const unsigned* in, unsigned* counts, int n) {
  extern __shared__ unsigned counters[];  // [digit][bin][lane]
  int lane = int(threadIdx.x) % 32;
  for (int i = int(threadIdx.x); i < 4 * kBins * 32; i += kCountThreads) counters[i] = 0;
  __syncthreads();
  // Bytes from a digit's column of this lane: bin x 128 of them, which two instructions make of a key.
  auto add = [&](unsigned key) {
#pragma unroll
    for (int digit = 0; digit < 4; ++digit) {
      unsigned rows = digit ? key >> (digit * 8 - 7) : key << 7;
      unsigned bytes = rows & (kBins - 1) * 128 | unsigned(lane) * 4;
      atomicAdd(reinterpret_cast<unsigned*>(reinterpret_cast<char*>(counters + digit * kBins * 32) + bytes), 1u);
    }
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

// Counts become places: a block for each digit.
static __global__ void __launch_bounds__(kBins) begin_digits(unsigned* counts) {
  __shared__ unsigned of_warps[kBins / 32];
  unsigned& count = counts[blockIdx.x * kBins + threadIdx.x];
  count = sum_of_bins_before(count, of_warps);
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
