// step: the tensor cores' sums are added up in registers after every 64 products
// takes: n % 4 == 0 and k % 4 == 0
// needs: sm_90a
// calculates: 6 * m * n * k on tensor_f16
//
// A sum by the tensor core loses up to a bit at each of its twelve steps along 64 elements, however long the whole sum
// is. So it begins anew after these, and its sums are added to others by additions that round (Apart in
// product_of_halves.h). That needs two registers for each element, and a third so that products never wait for
// additions: tiles are of 128x128. A place of the ring holds 64 KB for 12.6 million operations of the tensor core.
//
// Each element is within (k / 64 + 140) · 2^-24 of |a| · |b|: less than what is certain of floats that are added one after
// the other, as soon as k exceeds 143.
//
// Expected: nine tenths of step 10, for 96 bytes of shared memory in each cycle where that has 80; and a smaller error
// than that of cuBLAS in fp32.
//
// Found: not measured yet.
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
