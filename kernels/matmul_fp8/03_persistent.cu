// step: blocks with roles that stay: TMA and wgmma
// takes: k % 16 == 0 and n % 8 == 0
// needs: sm_90a
//
// The sixth step of matmul_bf16 (../parts/product_persistent.h). A step along k is 128 elements: as many bytes, as many
// cycles, twice as many operations. Scales come from memory when a chunk of the result is sent.
//
// Expected: 1.5 times cuBLASLt, which has no kernel of its own for integers on this architecture.
//
// Found (H100): 1,429 TFLOP/s at 8192³, 1,242 at 4096³, 767 at 2048³; no cuBLASLt was at hand.
#include "../parts/product_persistent.h"

namespace {

using T = __nv_fp8_e4m3;
constexpr int kColumns = 256, kStages = 4;
using Memory = PersistentMemory<T, kColumns, kStages>;

__device__ CUtensorMap maps[3];
MapsThere<3> there;

__global__ void __launch_bounds__(kThreads, 1) stays(Tiles tiles, int k, Scaled scaled) {
  persistent_product<T, kColumns, kStages>(maps, tiles, k, scaled);
}

}  // namespace

extern "C" void solve(const T* a, const T* b, const float* scale_a, const float* scale_b, __nv_bfloat16* c, int m,
                      int n, int k) {
  there.bring(maps, {map_of(a, m, k, kRows), map_of(b, n, k, kColumns), map_of(c, m, n, 64)});
  Tiles tiles{(m + kRows - 1) / kRows, (n + kColumns - 1) / kColumns};
  run(stays, persistent(stays, kThreads, int(sizeof(Memory)), 1, (long long)tiles.down * tiles.across), tiles, k,
      Scaled{scale_a, scale_b, m, n});
}
