// step: blocks that stay keep their weights, and bulk copies bring the next rows meanwhile
// takes: columns % 8 == 0 and columns <= 262144
// needs: sm_90
//
// Blocks walk over the rows, so a thread loads gamma and beta once. One thread asks the copy engine for the next rows
// while the block works (ring.h); a row that is too long for one block stays in the registers of a cluster, which ends
// with it (in_clusters.h).
//
// Expected: 0.95 of a copy for every length: the row in, the row out, and nothing else.
//
// Found (H200, 2026-11-23): 0.97 of a copy at 32768x1024; 0.87 at 16384x4096; 0.90 at 8192x16384. Long rows on
// 2026-11-28: 0.41 at 4096x65536; 0.38 at 1024x262144. A warp for a row of 1024, four for 4096, sixteen for 16,384: few
// threads with 32 elements each were the best in all lengths.
#include "../layer_norm/ring.h"

extern "C" void solve(const __nv_bfloat16* in, const __nv_bfloat16* gamma, const __nv_bfloat16* beta,
                      __nv_bfloat16* out, int rows, int columns, float epsilon) {
  run_norm<LayerNorm, __nv_bfloat16>({{in}, gamma, beta, out, epsilon}, rows, columns);
}
