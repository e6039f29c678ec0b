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

using Ways = WaysOf<__nv_bfloat16>;

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  Ways::multiply({Ways::together<256>(1), Ways::together<192>(0.77), Ways::together<64>(0.41),
                  Ways::together<128, 2>(0.55), Ways::in_turns<128>(0.52), Ways::in_turns<192>(0.79)},
                 a, b, c, m, n, k);
}
