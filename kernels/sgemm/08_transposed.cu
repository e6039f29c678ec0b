// step: a is transposed first, so that operands of a multiply-add come from both banks of registers
// takes: m % 4 == 0 and n % 4 == 0 and k % 4 == 0
// needs: sm_90
//
// A multiply-add reads a sum, an element of a and one of b. One of the three is kept from the multiply-add before; the
// other two are read in one cycle if one register is even and the other is odd. Vectors of 16 bytes fill four registers
// in turn, so that what a vector holds decides which are even. In step 06 a vector of a holds four neighbours along k:
// all that is multiplied at a time is in one bank, and so is half of the sums. Here it holds four rows, as b's has four
// columns, and the compiler finds sums in the other bank for nearly all (multiply_transposed.h). Counted in the
// machine code, a multiply-add takes 1.11 cycles, and 1.50 in step 06.
//
// Transposing reads a and writes it again: 32 µs of 4096², with what the ladder of transposes has found (transposed.h).
//
// Expected: 0.85 of fp32's peak, a tenth more than cuBLAS.
//
// Found (H200): 1.17 of step 06 at 4096³ and 1.18 at 8192³, where it reaches 0.80 of the peak; 1.00 of cuBLAS at 2048³,
// 1.03 at 4096³, 1.04 at 8192³. That is half of what the count promised. Eight steps along k at a time are best: four
// or 16 have 0.98 to 0.99 of it, all 32 have 0.90, probably for want of room for instructions. Tiles of 256x128 have
// 0.98, 8x8 sums for each thread, with twice as many warps, 0.91. In step 06's layout, other orders of the
// multiply-adds brought 3 % at most.
#include "ring.h"
#include "transposed.h"

namespace {

__device__ CUtensorMap maps[2];
MapsThere<2> there;

constexpr int kRows = 128, kColumns = 128, kWidth = 16, kStages = 3, kThreads = 128, kAtOnce = 8;
using Memory = Ring<kRows, kColumns, kStages, kThreads>;

__global__ void __launch_bounds__(kThreads, 2) by_columns(float* c, int m, int n, int k, int down, int across) {
  product_by_ring<kRows, kColumns, kWidth, kStages, kThreads, 1, kAtOnce, true>(maps, c, m, n, k, down, across);
}

}  // namespace

extern "C" void solve(const float* a, const float* b, float* c, int m, int n, int k) {
  bring_maps<kRows, kColumns, true>(there, maps, transposed(a, m, k), b, m, n, k);
  must(cudaFuncSetAttribute(by_columns, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Memory))),
       "shared memory");
  int down = (m + kRows - 1) / kRows, across = (n + kColumns - 1) / kColumns;
  by_columns<<<down * across, kThreads, sizeof(Memory)>>>(c, m, n, k, down, across);
}
