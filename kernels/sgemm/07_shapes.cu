// step: where results are few, smaller tiles, whose depth four warps share
// takes: n % 4 == 0 and k % 4 == 0
// needs: sm_90
//
// 1024x1024 elements are 64 tiles of 128x128, and an H200 has 132 multiprocessors, each with room for two. Tiles of
// 128x64 are 128, one for each; but two warps would have to fill a multiprocessor. So eight warps share such a tile:
// four take a quarter of its depth each, and add up at the end (ring.h).
//
// Expected: as fast as cuBLAS at 1024³, and step 06 elsewhere.
//
// Found (H200): 1.06 of cuBLAS at 1024³, 1.77 of step 06; tiles of 64x64, two blocks for each multiprocessor, are as
// fast. Elsewhere as step 06.
#include "shapes.h"

namespace {

__device__ CUtensorMap maps[2];
MapsThere<2> there;

using Large = Tiles<128, 128, 3, 128, 2, 1, 2>;
using Small = Tiles<128, 64, 4, 256, 1, 4, 1>;

template <class T>
__global__ void __launch_bounds__(T::kThreads, T::kBlocks)
    multiply_tiles(float* c, int m, int n, int k, int down, int across) {
  product_by_ring<T::kRows, T::kColumns, 16, T::kStages, T::kThreads, T::kSplit, T::kUnroll>(maps, c, m, n, k, down,
                                                                                             across);
}

template <class T>
void launch(const float* a, const float* b, float* c, int m, int n, int k) {
  bring_maps<T::kRows, T::kColumns>(there, maps, a, b, m, n, k);
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
