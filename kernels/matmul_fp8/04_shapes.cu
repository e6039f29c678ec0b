// step: a tile for each shape, pairs of blocks that share tiles of b, and clusters that share k
// takes: k % 16 == 0 and n % 8 == 0
// needs: sm_90a
//
// The last step of matmul_bf16 (../parts/product_shapes.h).
//
// Expected: a tenth more for large squares, where two blocks bring tiles of b for each other; and half as much again
// for 128 rows, which have too few tiles of 128x256.
//
// Found: not measured yet.
#include "../parts/product_shapes.h"

namespace {

using T = __nv_fp8_e4m3;

__device__ CUtensorMap maps[3];
MapsThere<3> there;

template <int kColumns>
constexpr int kStages = kColumns == 128 ? 6 : 4;  // what shared memory has room for

template <int kColumns, int kShares, int kPair>
__global__ void __launch_bounds__(kThreads, 1) product(Tiles tiles, int k, Scaled scaled) {
  if constexpr (kShares == 1)
    persistent_product<T, kColumns, kStages<kColumns>, kPair>(maps, tiles, k, scaled);
  else
    shared_product<T, kColumns, kStages<kColumns>, kShares>(maps, tiles, k, scaled);
}

template <int kColumns, int kShares, int kPair>
Way<void(Tiles, int, Scaled)> way(double cost) {
  constexpr int kBytes = int(sizeof(PersistentMemory<T, kColumns, kStages<kColumns>, kPair>));
  return {product<kColumns, kShares, kPair>, kColumns, kShares, kPair, kBytes, cost};
}

}  // namespace

extern "C" void solve(const T* a, const T* b, const float* scale_a, const float* scale_b, __nv_bfloat16* c, int m,
                      int n, int k) {
  const auto best = best_way<T>({way<256, 1, 2>(0.9), way<256, 1, 1>(1), way<192, 1, 1>(0.77), way<128, 1, 2>(0.52),
                                 way<128, 1, 1>(0.55), way<128, 2, 1>(0.55)},
                                m, n, k);
  there.bring(maps, {map_of(a, m, k, kRows), map_of(b, n, k, best.columns / best.pair), map_of(c, m, n, 64)});
  run(best.kernel, best.launch(m, n), best.tiles(m, n), k, Scaled{scale_a, scale_b, m, n});
}
