// step: pairs of blocks that share tiles of b: each brings half of them into both
// takes: k % 8 == 0 and n % 8 == 0
// needs: sm_90a
//
// An SM has 1024 cycles for the products of a step along k, and needs 48 KB for them: 47 bytes in each cycle, on 132
// SMs about what L2 can give. Two blocks of a cluster, one below the other, need the same 256 columns of b. Each brings
// half of them, and the copy engine puts them into both (../parts/product_ring.h): 32 KB from L2 for each block instead
// of 48.
//
// Expected: a tenth more for large squares. The price is that the two blocks go in step: a place of the ring is free
// when both have done with it.
//
// Found: not measured yet.
#include "../parts/product_shapes.h"

namespace {

using T = __nv_bfloat16;

__device__ CUtensorMap maps[3];
MapsThere<3> there;

template <int kColumns>
constexpr int kStages = kColumns == 128 ? 6 : 4;  // what shared memory has room for

template <int kColumns, int kShares, int kPair>
__global__ void __launch_bounds__(kThreads, 1) product(Tiles tiles, int k) {
  if constexpr (kShares == 1)
    persistent_product<T, kColumns, kStages<kColumns>, kPair>(maps, tiles, k);
  else
    shared_product<T, kColumns, kStages<kColumns>, kShares>(maps, tiles, k);
}

template <int kColumns, int kShares, int kPair>
Way<void(Tiles, int)> way(double cost) {
  constexpr int kBytes = int(sizeof(PersistentMemory<T, kColumns, kStages<kColumns>, kPair>));
  return {product<kColumns, kShares, kPair>, kColumns, kShares, kPair, kBytes, cost};
}

}  // namespace

extern "C" void solve(const T* a, const T* b, T* c, int m, int n, int k) {
  const auto best = best_way<T>({way<256, 1, 2>(0.9), way<256, 1, 1>(1), way<192, 1, 1>(0.77), way<128, 1, 2>(0.52),
                                 way<128, 1, 1>(0.55), way<128, 2, 1>(0.55)},
                                m, n, k);
  there.bring(maps, {map_of(a, m, k, kRows), map_of(b, n, k, best.columns / best.pair), map_of(c, m, n, 64)});
  run(best.kernel, best.launch(m, n), best.tiles(m, n), k);
}
