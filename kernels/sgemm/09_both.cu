// step: a transposed, and a tile for each shape
// takes: m % 4 == 0 and n % 4 == 0 and k % 4 == 0
// needs: sm_90
//
// Steps 07 and 08: of the small tiles, too, a is transposed.
//
// Expected: step 08 for large matrices; at 1024³ a tenth more than step 07, although transposing costs 4 of its 60 µs.
//
// Found: not measured yet.
#include "shapes.h"
#include "transposed.h"

namespace {

__device__ CUtensorMap maps[2];
MapsThere<2> there;

using Large = Tiles<128, 128, 3, 128, 2, 1, 8>;
using Small = Tiles<128, 64, 4, 256, 1, 4, 8>;

template <class T>
__global__ void __launch_bounds__(T::kThreads, T::kBlocks)
    multiply_tiles(float* c, int m, int n, int k, int down, int across) {
  product_by_ring<T::kRows, T::kColumns, 16, T::kStages, T::kThreads, T::kSplit, T::kUnroll, true>(maps, c, m, n, k,
                                                                                                   down, across);
}

template <class T>
void launch(const float* a, const float* b, float* c, int m, int n, int k) {
  bring_maps<T::kRows, T::kColumns, true>(there, maps, transposed(a, m, k), b, m, n, k);
  must(cudaFuncSetAttribute(multiply_tiles<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            int(sizeof(typename T::Memory))),
       "shared memory");
  int down = (m + T::kRows - 1) / T::kRows, across = (n + T::kColumns - 1) / T::kColumns;
  multiply_tiles<T><<<down * across, T::kThreads, sizeof(typename T::Memory)>>>(c, m, n, k, down, across);
}

}  // namespace

extern "C" void solve(const float* a, const float* b, float* c, int m, int n, int k) {
  if (small_is_better<Large, Small>(m, n))
    launch<Small>(a, b, c, m, n, k);
  else
    launch<Large>(a, b, c, m, n, k);
}
