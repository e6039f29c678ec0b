// step: the last block to finish adds the others' sums: one launch, and the same bits in every run
//
// Each block stores its sum and counts itself. The one that counts last knows that all sums are there, adds them up in
// a fixed order, and sets the counter back for the next run. There is nothing to clear before.
//
// Expected: as fast as before or a little faster: a launch less, the same reading.
//
// Found (H200, 2026-11-23): 0.93 of reading at 2^24; 1.00 at 2^28. Four accesses in flight are as good as eight.
#include "../parts/block_combine.h"
#include "stream.h"

namespace {

constexpr int kThreads = 512, kBlocksPerSm = 4, kFlight = 4, kMostBlocks = 1024;

__device__ float block_sums[kMostBlocks];
__device__ unsigned finished;

struct Sum {
  float value;
  static __device__ Sum nothing() { return {0}; }
};
__device__ Sum of_warp(Sum mine) { return {sum_of_warp(mine.value)}; }

__global__ void __launch_bounds__(kThreads) last_block(const float* in, float* out, int n) {
  __shared__ Sum room[2][kThreads / 32];
  __shared__ bool last;
  float sums[4] = {};
  for_each_vector<kFlight>(reinterpret_cast<const uint4*>(in), size_t(n) / 4, [&](uint4 raw) {
    float x[4];
    unpack<float>(raw, x);
    for (int i = 0; i < 4; ++i) sums[i] += x[i];
  });
  if (blockIdx.x == 0 && int(threadIdx.x) < n % 4) sums[0] += in[n - 1 - int(threadIdx.x)];
  Sum all = of_block(Sum{sums[0] + sums[1] + (sums[2] + sums[3])}, room[0]);
  if (threadIdx.x == 0) {
    block_sums[blockIdx.x] = all.value;
    __threadfence();  // the sum is visible before the count
    last = atomicAdd(&finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();  // and is read after it
  Sum mine = Sum::nothing();
  for (int i = int(threadIdx.x); i < int(gridDim.x); i += kThreads) mine.value += __ldcg(&block_sums[i]);
  all = of_block(mine, room[1]);
  if (threadIdx.x == 0) *out = all.value, finished = 0;
}

}  // namespace

extern "C" void solve(const float* in, float* out, int n) {
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  int blocks = processors * kBlocksPerSm;
  if (blocks > kMostBlocks) blocks = kMostBlocks;
  last_block<<<blocks, kThreads>>>(in, out, n);
}
