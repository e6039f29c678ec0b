// step: the threshold digit by digit: four passes instead of k
// takes: k <= 512
// needs: sm_80
//
// A pass counts how often each value of eight bits occurs among the elements that share the higher bits of the k-th
// largest, and so finds its next eight bits. After four passes its 32 bits are known. A last pass collects what is
// larger, and of those equal to it as many as are wanted, the first ones.
//
// Expected: five reads of the row, four of them from the L2 cache, by one SM: about 40 us for one row; and most normal
// numbers share their first eight bits with many others, so additions to one counter queue up.
//
// Found (H200, 2026-11-23): 0.03 of reading at 1 row, k 8; 0.03 at 1 row, k 256; 0.05 at 16 rows, k 50; 0.10 at 128
// rows, k 8; 0.10 at 128 rows, k 256.
#include "select.h"

namespace {

constexpr int kBins = 256;

__global__ void __launch_bounds__(kThreads) digits(const float* in, float* values, int* indices, int columns, int k) {
  __shared__ unsigned bins[kBins], found_digit, found_above, count, room[2][kWarps];
  __shared__ Key keys[kThreads];
  const float* x = in + size_t(blockIdx.x) * columns;
  unsigned prefix = 0, mask = 0, wanted = unsigned(k);
  for (int shift = 24; shift >= 0; shift -= 8) {
    if (threadIdx.x < kBins) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = int(threadIdx.x); i < columns; i += kThreads) {
      unsigned order = ordered(x[i]);
      if ((order & mask) == prefix) atomicAdd(&bins[order >> shift & 255], 1u);
    }
    __syncthreads();
    if (threadIdx.x < kBins) {  // the bin in which the count from above reaches `wanted`
      unsigned above = 0;
      for (int bin = kBins - 1; bin > int(threadIdx.x); --bin) above += bins[bin];
      if (above < wanted && above + bins[threadIdx.x] >= wanted) found_digit = threadIdx.x, found_above = above;
    }
    __syncthreads();
    prefix |= found_digit << shift, mask |= 255u << shift, wanted -= found_above;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
  }
  List list(keys, &count);
  unsigned before = 0;  // elements equal to the k-th largest, in earlier rounds
  int rounds = (columns + kThreads - 1) / kThreads;
  for (int round = 0; round < rounds; ++round) {
    int i = round * kThreads + int(threadIdx.x), lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
    unsigned order = i < columns ? ordered(x[i]) : 0;
    bool equal = i < columns && order == prefix;
    unsigned equals = __ballot_sync(0xffffffffu, equal);
    if (lane == 0) room[round % 2][warp] = unsigned(__popc(equals));
    __syncthreads();
    unsigned other = room[round % 2][lane], place = before + unsigned(__popc(equals & ((1u << lane) - 1)));
    place += __reduce_add_sync(0xffffffffu, lane < warp ? other : 0u);
    before += __reduce_add_sync(0xffffffffu, other);
    bool take = i < columns && (order > prefix || (equal && place < wanted));
    unsigned slot = list.reserve(take);
    if (take) list.keys[slot] = key_of(order, i);
  }
  __syncthreads();
  write_in_order(list, values + size_t(blockIdx.x) * k, indices + size_t(blockIdx.x) * k, k);
}

}  // namespace

extern "C" void solve(const float* in, float* values, int* indices, int rows, int columns, int k) {
  digits<<<rows, kThreads>>>(in, values, indices, columns, k);
}
