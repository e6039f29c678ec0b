// step: a tile for each shape: clusters that share k where there are few tiles
// takes: k % 16 == 0 and n % 8 == 0
// needs: sm_90a
//
// The last step of matmul_bf16 (../parts/product_shapes.h), with the two ways that the shapes of this ladder need:
// tiles of 128x256, and tiles of 128x128 for two blocks each.
//
// Expected: as before for large squares; half as much again for 128 rows, which have too few tiles of 128x256.
//
// Found (H100): 1.5 times step 03 for 128 rows of 8192x8192, 509 TOP/s. From 2048³ on it launches the kernel of step
// 03. 1024³ has not been measured with this choice. With pairs of blocks that share tiles of b, large squares took
// twice as long, so there are none.
#include "../parts/product_shapes.h"

namespace {

using T = int8_t;

__device__ CUtensorMap maps[3];
MapsThere<3> there;

template <int kColumns>
constexpr int kStages = kColumns == 128 ? 6 : 4;  // what shared memory has room for

template <int kColumns, int kShares>
__global__ void __launch_bounds__(kThreads, 1) product(Tiles tiles, int k, Scaled scaled) {
  if constexpr (kShares == 1)
    persistent_product<T, kColumns, kStages<kColumns>>(maps, tiles, k, scaled);
  else
    shared_product<T, kColumns, kStages<kColumns>, kShares>(maps, tiles, k, scaled);
}

template <int kColumns, int kShares>
Way<void(Tiles, int, Scaled)> way(double cost) {
  constexpr int kBytes = int(sizeof(PersistentMemory<T, kColumns, kStages<kColumns>>));
  return {product<kColumns, kShares>, kColumns, kShares, kBytes, cost};
}

}  // namespace

extern "C" void solve(const T* a, const T* b, const float* scale_a, const float* scale_b, __nv_bfloat16* c, int m,
                      int n, int k) {
  const auto best = best_way<T>({way<256, 1>(1), way<128, 2>(0.55)}, m, n, k);
  there.bring(maps, {map_of(a, m, k, kRows), map_of(b, n, k, best.columns), map_of(c, m, n, 64)});
  run(best.kernel, best.launch(m, n), best.tiles(m, n), k, Scaled{scale_a, scale_b, m, n});
}
