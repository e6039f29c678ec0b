// A histogram of few bins, with a column of counters for each lane.
//
//     counters[bin][lane]        lane L of every warp adds to column L, which is bank L
//
// Whatever the keys are, the 32 additions of a warp go to 32 banks: none waits for another, and no two lanes ever meet.
// 256 bins take 32 KB. At the end a warp adds up the 32 columns of a bin.
#pragma once

#include "../parts/block_combine.h"
#include "../parts/launch.h"
#include "stream.h"

template <int kThreads, int kFlight>
__global__ void __launch_bounds__(kThreads) count_by_lane(const int* keys, unsigned* counts, int n, int bins) {
  extern __shared__ unsigned counters[];
  int lane = int(threadIdx.x) % 32;
  for (int i = int(threadIdx.x); i < bins * 32; i += kThreads) counters[i] = 0;
  __syncthreads();
  for_each_key<kFlight>(keys, size_t(n), [&](int key, bool valid) {
    if (valid) atomicAdd(&counters[key * 32 + lane], 1u);
  });
  __syncthreads();
  for (int bin = int(threadIdx.x) / 32; bin < bins; bin += kThreads / 32) {
    unsigned sum = __reduce_add_sync(0xffffffffu, counters[bin * 32 + lane]);
    if (lane == 0 && sum) atomicAdd(&counts[bin], sum);
  }
}

template <int kThreads, int kFlight>
void histogram_by_lane(const int* keys, unsigned* counts, int n, int bins) {
  auto kernel = count_by_lane<kThreads, kFlight>;
  Launch how =
      persistent(kernel, kThreads, bins * 32 * int(sizeof(unsigned)), 1, (size_t(n) + kThreads - 1) / kThreads);
  run(kernel, how, keys, counts, n, bins);
}
