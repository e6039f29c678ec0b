// step: two warpgroups take turns: one multiplies, one sends its result
// takes: k % 8 == 0 and n % 8 == 0
// needs: sm_90a
//
// Both warpgroups of step 07 multiply half a tile each, then both send it, and the tensor cores wait. Here each has a
// tile for itself, of 128x128 or 128x192, and one sends while the other multiplies (../parts/product_turns.h). An
// estimate chooses between this and the ways of step 07.
//
// Expected: the time of sending, as long as 2.5 steps of 64 along k for each tile but the last: 13 % for k = 1024, 2 %
// for k = 8192. Smaller tiles cost more bytes from L2 and shared memory, so large k gain nothing.
//
// Found (H200, 2026-11-30): 7 % for 16384x4096x1024, 2 % for 3072^3, where 192 columns fill three rounds, and nothing
// elsewhere. In the geometric mean over the twelve shapes as fast as cuBLAS.
#include "../parts/product_shapes.h"

namespace {

using T = __nv_bfloat16;

__device__ CUtensorMap maps[3];
MapsThere<3> there;

template <int kColumns>
constexpr int kStages = kColumns <= 128 ? 6 : 4;  // what shared memory has room for

template <int kColumns, int kShares>
__global__ void __launch_bounds__(kThreads, 1) together(Tiles tiles, int k) {
  if constexpr (kShares == 1)
    persistent_product<T, kColumns, kStages<kColumns>>(maps, tiles, k);
  else
    shared_product<T, kColumns, kStages<kColumns>, kShares>(maps, tiles, k);
}

template <int kColumns>
__global__ void __launch_bounds__(kThreads, 1) in_turns(Tiles tiles, int k) {
  product_by_turns<T, kColumns, kStages<kColumns>>(maps, tiles, k);
}

using Kernel = void(Tiles, int);

template <int kColumns, int kShares = 1>
Way<Kernel> way(double cost) {
  constexpr int kBytes = int(sizeof(PersistentMemory<T, kColumns, kStages<kColumns>>));
  return {together<kColumns, kShares>, kColumns, kShares, kBytes, cost};
}
template <int kColumns>
Way<Kernel> turns(double cost) {
  constexpr int kBytes = int(sizeof(TurnMemory<T, kColumns, kStages<kColumns>>));
  return {in_turns<kColumns>, kColumns, 1, kBytes, cost, /*in_turns=*/true};
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  const auto best = best_way<T>(
      {way<256>(1), way<192>(0.77), way<64>(0.41), way<128, 2>(0.55), turns<128>(0.52), turns<192>(0.79)}, m, n, k);
  there.bring(maps, {map_of(a, m, k, kRows), map_of(b, n, k, best.columns), map_of(c, m, n, 64)});
  run(best.kernel, best.launch(m, n), best.tiles(m, n), k);
}
