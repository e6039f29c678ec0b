// step: 8x16 elements in each thread's registers, and two chunks of a tile at a time
// takes: n % 4 == 0 and k % 4 == 0
// needs: sm_90
//
// 24 loads of 16 bytes feed 512 multiply-adds, where 32 did before. The price is occupancy: 128 sums and their operands
// need all 255 registers, so a scheduler has two warps and not four. Two chunks at a time let the second one's loads go
// out before the first one's multiply-adds are done.
//
// Expected: between 0.98 and 1.04 of step 05. Which of the two counts for more is to be measured.
//
// Found (H200): 1.10 of step 05 at 4096³ and 8192³, 0.88 of cuBLAS. Neither width nor tile is the reason: with one
// chunk at a time it is 0.99 of step 05, and with tiles of 256x128 all the same. Most likely it is how registers are read.
// A register file has two banks, of even and odd registers, and each gives one operand a cycle (Huerta et al., arXiv
// 2503.20481). A multiply-add wants three; those that it shares with the one before it need no reading. Counted so in
// the machine code, a multiply-add takes 1.69 cycles with one chunk at a time and 1.50 with two. That orders the variants
// as they were measured; of four chunks at a time it promises 5 %, and they brought at most 1 %. Bank conflicts of shared
// memory matter little: loads that take half as many passes (multiply.h) made 3 %, between two runs.
#include "ring.h"

namespace {

constexpr int kRows = 128, kColumns = 128, kWidth = 16, kStages = 3, kThreads = 128, kAtOnce = 2;
using Memory = Ring<kRows, kColumns, kStages, kThreads>;

__device__ CUtensorMap maps[2];
MapsThere<2> there;

__global__ void __launch_bounds__(kThreads, 2) wide(float* c, int m, int n, int k, int down, int across) {
  product_by_ring<kRows, kColumns, kWidth, kStages, kThreads, 1, kAtOnce>(maps, c, m, n, k, down, across);
}

}  // namespace

extern "C" void solve(const float* a, const float* b, float* c, int m, int n, int k) {
  bring_maps<kRows, kColumns>(there, maps, a, b, m, n, k);
  must(cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Memory))), "shared memory");
  int down = (m + kRows - 1) / kRows, across = (n + kColumns - 1) / kColumns;
  wide<<<down * across, kThreads, sizeof(Memory)>>>(c, m, n, k, down, across);
}
