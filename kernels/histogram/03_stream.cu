// step: four keys per access, eight accesses in flight
// takes: bins <= 8192
//
// Expected: memory is the limit. Of 32 keys in a warp, some fall into the same bank and have to take turns, three or
// four on average; that takes half the time that their bytes take.
//
// Found (H200, 2026-11-30): 1.04 of reading at 256 even, skewed and one value: as fast as this card reads. 32 of 1,024
// bins that share a bank: 706 us instead of 249, and 1,079 where each warp has all of them. Without a bound on
// registers 297, 284 and 247 us: the fourth blocks moved in three by three where others had ended, and two thirds of
// the SMs were idle.
#include "stream.h"

namespace {

constexpr int kThreads = 512, kFlight = 8, kBlocksOfSm = 4;

// All blocks run at once. Without a bound the compiler takes 39 registers, and three blocks fill an SM.
__global__ void __launch_bounds__(kThreads, kBlocksOfSm) streamed(const int* keys, unsigned* counts, int n, int bins) {
  extern __shared__ unsigned mine[];
  for (int bin = int(threadIdx.x); bin < bins; bin += kThreads) mine[bin] = 0;
  __syncthreads();
  for_each_key<kFlight>(keys, size_t(n), [&](int key, bool valid) {
    if (valid) atomicAdd(&mine[key], 1u);
  });
  __syncthreads();
  for (int bin = int(threadIdx.x); bin < bins; bin += kThreads)
    if (mine[bin]) atomicAdd(&counts[bin], mine[bin]);
}

}  // namespace

extern "C" void solve(const int* keys, unsigned* counts, int n, int bins) {
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaMemsetAsync(counts, 0, size_t(bins) * sizeof(unsigned));
  streamed<<<processors * kBlocksOfSm, kThreads, size_t(bins) * sizeof(unsigned)>>>(keys, counts, n, bins);
}
