// step: a tile for each shape: large ones with a transposed, small ones two rows at a time
// takes: m % 4 == 0 and n % 4 == 0 and k % 4 == 0
// needs: sm_90
//
// Step 07's choice and step 08's large tiles. Where tiles are small, so are the matrices, and transposing takes a
// larger share of the time. There a stays as it is, and two rows of it are multiplied at a time, in an order that
// shares an element with the multiply-add before in each step (multiply.h).
//
// Expected: step 08 for large matrices; a few hundredths more than step 07 at 1024³.
//
// Found (H200): at 1024³ 1.06 of step 07 and 1.12 of cuBLAS, elsewhere as step 08. With a transposed for small tiles,
// too, 1.01 of step 07.
#include "shapes.h"
#include "transposed.h"

namespace {

__device__ CUtensorMap maps[2];
MapsThere<2> there;

using Large = Tiles<128, 128, 3, 128, 2, 1, 8>;
using Small = Tiles<128, 64, 4, 256, 1, 4, 2>;

template <class T, bool kTransposed>
__global__ void __launch_bounds__(T::kThreads, T::kBlocks)
    multiply_tiles(float* c, int m, int n, int k, int down, int across) {
  product_by_ring<T::kRows, T::kColumns, 16, T::kStages, T::kThreads, T::kSplit, T::kUnroll, kTransposed, Order::Pairs>(
      maps, c, m, n, k, down, across);
}

template <class T, bool kTransposed>
void launch(const float* a, const float* b, float* c, int m, int n, int k) {
  bring_maps<T::kRows, T::kColumns, kTransposed>(there, maps, a, b, m, n, k);
  must(cudaFuncSetAttribute(multiply_tiles<T, kTransposed>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            int(sizeof(typename T::Memory))),
       "shared memory");
  int down = (m + T::kRows - 1) / T::kRows, across = (n + T::kColumns - 1) / T::kColumns;
  multiply_tiles<T, kTransposed><<<down * across, T::kThreads, sizeof(typename T::Memory)>>>(c, m, n, k, down, across);
}

}  // namespace

extern "C" void solve(const float* a, const float* b, float* c, int m, int n, int k) {
  if (small_is_better<Large, Small>(m, n))
    launch<Small, false>(a, b, c, m, n, k);
  else
    launch<Large, true>(transposed(a, m, k), b, c, m, n, k);
}
