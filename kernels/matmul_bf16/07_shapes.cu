// step: a tile for each shape: 128, 192 or 256 columns, and clusters that share k where there are few tiles
// takes: k % 8 == 0 and n % 8 == 0
// needs: sm_90a
//
// Tiles are whole, and so are rounds: 132 SMs with 144 tiles need as long as with 264. Smaller tiles fill the last
// round better, but read shared memory more often for each product. Where there are too few tiles at all, two
// blocks share k (shared_depth.h). The choice is the least of an estimate, in the time of 64 along k for a tile of
// 128x256.
//
// Expected: as before for large squares; a fifth more for 3072³, whose 288 tiles of 128x256 are three rounds with the
// last one a fifth full; and up to twice as much for 1024³ and for 128 rows.
//
// Found: not measured yet.
#include "shared_depth.h"

namespace {

__device__ CUtensorMap maps[3];
MapsThere<3> there;

template <int kColumns>
constexpr int kStages = kColumns == 128 ? 6 : 4;  // what shared memory has room for

template <int kColumns, int kShares>
__global__ void __launch_bounds__(kThreads, 1) product(Tiles tiles, int k) {
  if constexpr (kShares == 1)
    persistent_product<kColumns, kStages<kColumns>>(maps, tiles, k);
  else
    shared_product<kColumns, kStages<kColumns>, kShares>(maps, tiles, k);
}

struct Choice {
  void (*kernel)(Tiles, int);
  int columns, shares, shared_bytes;
  double cost;  // of 64 along k
};

template <int kColumns, int kShares>
Choice choice(double cost) {
  return {product<kColumns, kShares>, kColumns, kShares, int(sizeof(PersistentMemory<kColumns, kStages<kColumns>>)),
          cost};
}

Tiles tiles_of(const Choice& c, int m, int n) { return {(m + kRows - 1) / kRows, (n + c.columns - 1) / c.columns}; }

double estimate(const Choice& c, int m, int n, int k, int processors) {
  constexpr double kBegin = 2, kAdd = 4;  // of a round, and of adding sums
  Tiles tiles = tiles_of(c, m, n);
  double blocks = double(tiles.down) * tiles.across * c.shares;
  if (c.shares > 1 && blocks > processors) return 1e30;
  double rounds = double((size_t(blocks) + size_t(processors) - 1) / size_t(processors));
  int steps = (k + kTileDepth - 1) / kTileDepth;
  return rounds * ((steps + c.shares - 1) / c.shares * c.cost + kBegin) + (c.shares > 1 ? kAdd : 0);
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  int processors = 0;
  must(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "processors");
  const Choice choices[] = {choice<256, 1>(1), choice<192, 1>(0.77), choice<128, 1>(0.55), choice<128, 2>(0.55)};
  const Choice* best = choices;
  for (const Choice& other : choices)
    if (estimate(other, m, n, k, processors) < estimate(*best, m, n, k, processors)) best = &other;
  Tiles tiles = tiles_of(*best, m, n);
  there.bring(maps, {map_of(a, m, k, kRows), map_of(b, n, k, best->columns), map_of(c, m, n, 64)});
  Launch how =
      persistent(best->kernel, kThreads, best->shared_bytes, best->shares, (long long)tiles.down * tiles.across);
  if (best->shares > 1) how.blocks = tiles.down * tiles.across * best->shares;  // a cluster for each tile
  run(best->kernel, how, tiles, k);
}
