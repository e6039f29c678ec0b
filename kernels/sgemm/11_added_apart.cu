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
// Each element is within (k / 64 + 140) · 2^-24 of |a| · |b|: less than what is certain of floats that are added one
// after the other, as soon as k exceeds 143.
//
// Expected: nine tenths of step 10, and a smaller error than that of cuBLAS in fp32.
//
// Found (H200): 0.98 of step 10 at 4096³, 3.8 times cuBLAS; 218 TFLOP/s at 8192³, 4.3 times cuBLAS, where the power
// limit holds the clock back. Errors are a sixth of cuBLAS's for normal numbers, a quarter for positive ones. Splitting
// moves 335 MB at 4096³, as a copy would in an eighth of the time; smaller matrices gain less: 1.3 times cuBLAS at
// 1024³. With one set of sums, and additions that products wait for, 0.98 at 4096³ and 0.87 at 8192³. Tiles of 128x192
// with one set are 1.06 at 8192³ and 0.95 at 4096³, whose tiles fill six rounds badly; tiles of 128x256, half of them
// at a time, 1.04 at 4096³ and 0.97 at 8192³.
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
