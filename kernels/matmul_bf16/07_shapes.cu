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

using Ways = WaysOf<__nv_bfloat16>;

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  Ways::multiply(
      {Ways::together<256>(1), Ways::together<192>(0.77), Ways::together<64>(0.41), Ways::together<128, 2>(0.55)}, a, b,
      c, m, n, k);
}
