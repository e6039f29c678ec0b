// step: a tile for each shape: 192 or 256 columns, and clusters that share k where there are few tiles
// takes: k % 8 == 0 and n % 8 == 0
// needs: sm_90a
//
// Tiles are whole, and so are rounds: 132 SMs with 144 tiles need as long as with 264. Smaller tiles fill the last
// round better, but read shared memory more often for each product. Where there are too few tiles at all, two
// blocks share k (../parts/product_shared_depth.h). The choice is the least of an estimate, in the time of 64 along k
// for a tile of 128x256.
//
// Expected: as before for large squares; a fifth more for 3072³, whose 288 tiles of 128x256 are three rounds with the
// last one a fifth full; and up to twice as much for 1024³ and for 128 rows.
//
// Found (H100): as before for 2048³, 4096³ and 8192³; a quarter more for 3072³, a third for 1024³, half for 128 rows of
// 8192x8192. Pairs of blocks that bring tiles of b for each other were tried, too: half as fast at 1024³, 2048³, 4096³
// and 8192³, so there is no such step.
#include "../parts/product_shapes.h"

namespace {

using T = __nv_bfloat16;

__device__ CUtensorMap maps[3];
MapsThere<3> there;

template <int kColumns>
constexpr int kStages = kColumns <= 128 ? 6 : 4;  // what shared memory has room for

template <int kColumns, int kShares>
__global__ void __launch_bounds__(kThreads, 1) product(Tiles tiles, int k) {
  if constexpr (kShares == 1)
    persistent_product<T, kColumns, kStages<kColumns>>(maps, tiles, k);
  else
    shared_product<T, kColumns, kStages<kColumns>, kShares>(maps, tiles, k);
}

template <int kColumns, int kShares>
Way<void(Tiles, int)> way(double cost) {
  constexpr int kBytes = int(sizeof(PersistentMemory<T, kColumns, kStages<kColumns>>));
  return {product<kColumns, kShares>, kColumns, kShares, kBytes, cost};
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  const auto best = best_way<T>({way<256, 1>(1), way<192, 1>(0.77), way<64, 1>(0.41), way<128, 2>(0.55)}, m, n, k);
  there.bring(maps, {map_of(a, m, k, kRows), map_of(b, n, k, best.columns), map_of(c, m, n, 64)});
  run(best.kernel, best.launch(m, n), best.tiles(m, n), k);
}
