// step: three products of halves by tensor cores have the bits of one in fp32
// takes: n % 4 == 0 and k % 4 == 0
// needs: sm_90a
// calculates: 6 * m * n * k on tensor_f16
#include "product_of_halves.h"

namespace {

constexpr int kColumns = 128, kStages = 3;
using Memory = HalvesMemory<kColumns, kStages>;

__device__ CUtensorMap maps[2];
MapsThere<2> there;

__global__ void __launch_bounds__(kThreads, 1) multiply_halves_of(Results results, Tiles tiles, int k) {
  product_of_halves<Apart, kColumns, kStages>(maps, results, tiles, k);
}

}  // namespace

extern "C" void solve(const float* a, const float* b, float* c, int m, int n, int k) {
  const SplitMatrices split = SplitMatrices::of(a, b, m, n, k);
  there.bring(maps, {split.a.map(kRows), split.b.map(kDepth)});
  Tiles tiles{(m + kRows - 1) / kRows, (n + kColumns - 1) / kColumns};
  run(multiply_halves_of,
      persistent(multiply_halves_of, kThreads, int(sizeof(Memory)), 1, (long long)tiles.down * tiles.across),
      Results{c, m, n, split.a.largest, split.b.largest}, tiles, k);
}
