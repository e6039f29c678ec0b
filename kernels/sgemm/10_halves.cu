// step: each float as two halves, and three products of halves by tensor cores
// takes: n % 4 == 0 and k % 4 == 0 and k <= 4096
// needs: sm_90a
// calculates: 6 * m * n * k on tensor_f16
//
// Two halves have the bits of a float, once the scale of a row or column has brought it to where halves are precise
// (halves.h). Small kernels split both matrices; then a block with roles multiplies low by high, high by low and
// high by high (product_of_halves.h), as in matmul_bf16: tiles of 128x128, 64 along k at a time.
//
// The error is that of the tensor core's sums. It cuts off what lies below the last bit instead of rounding it, sixteen
// products at a time, and what is cut off adds up. Each element is within (2k + 8) · 2^-24 of |a| · |b|; floats added
// one after the other are within k · 2^-24. In truth both are far better (README.md), but at 8192³ some elements are
// off by more than this ladder allows of plain floats. So this step ends at 4096.
//
// Expected: 200 TFLOP/s at 4096³, four times cuBLAS in fp32: a third of what a product of halves reaches, less a tenth
// for splitting.
//
// Found (H200): 200 TFLOP/s at 4096³, 3.9 times cuBLAS; errors 12 to 37 times those of cuBLAS. Tiles of 128x256, of
// which the ring has two places and not three, take 1.17 times as long.
#include "product_of_halves.h"

namespace {

constexpr int kColumns = 128, kStages = 3;
using Memory = HalvesMemory<kColumns, kStages>;

__device__ CUtensorMap maps[2];
MapsThere<2> there;

__global__ void __launch_bounds__(kThreads, 1) multiply_halves_of(Results results, Tiles tiles, int k) {
  product_of_halves<InPlace, kColumns, kStages>(maps, results, tiles, k);
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
