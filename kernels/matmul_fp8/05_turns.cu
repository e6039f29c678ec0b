// step: two warpgroups take turns: one multiplies, one sends its result
// takes: k % 16 == 0 and n % 8 == 0
// needs: sm_90a
//
// In step 04 both warpgroups multiply half a tile each, then both send it, and the tensor cores wait: at 2048^3 a third
// of the time. Here each has a tile for itself, of 128x128 or 128x192, and one sends while the other multiplies
// (../parts/product_turns.h). Scales are in shared memory before the sums are there. Maps are asked for when a block
// begins. What has one round of tiles alone keeps the way of step 04, with tiles of 128x64, too.
//
// Expected: the time of sending, 2.5 steps along k for each tile but the last: 10 % at 4096^3, a quarter for k = 1024.
//
// Found (H200, 2026-11-30): 7 % for 2048^3, 5 % for 4096^3, 4 % for 8192^3, 16 % for 16384x4096x1024, and a fifth for
// 1024^3 by smaller tiles and by the maps. In the geometric mean over the seven shapes cuBLASLt takes 1.03
// times as long, and 0.94 of the time of step 04. Tiles of 128x128 read shared memory more often for each product, and
// are asked for in half the time: 160 bytes for each cycle of the tensor cores, where 128 can be had. So 128x192 is
// faster where its rounds are full. Pairs of blocks that bring halves of b for each other gain nothing, as in
// matmul_bf16.
#include "../parts/product_shapes.h"

using Ways = WaysOf<__nv_fp8_e4m3, Scaled>;

extern "C" void solve(const __nv_fp8_e4m3* a, const __nv_fp8_e4m3* b, const float* scale_a, const float* scale_b,
                      __nv_bfloat16* c, int m, int n, int k) {
  Ways::multiply({Ways::together<256>(1), Ways::together<64>(0.41), Ways::together<128, 2>(0.55),
                  Ways::in_turns<128>(0.525), Ways::in_turns<192>(0.75)},
                 a, b, c, m, n, k, {scale_a, scale_b, m, n});
}
