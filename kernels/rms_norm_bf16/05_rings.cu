// step: each warp has a ring of its own, and no barrier holds a block
// takes: columns % 8 == 0 and columns <= 262144
// needs: sm_90
//
// In step 4 all threads of a block meet in each row. Here warps add up and write their parts of a row at their own pace
// (../parts/row_rings.h), and a block's share is 64 KB in place of 32.
//
// Expected: 0.95 of a copy.
//
// Found (H200, 2026-11-29, by nvcc, in turns with PyTorch): 0.92 of a copy at 4096x65536, where step 4 had 0.90. At
// 1024x262144 it has 0.90, as step 4, which keeps such rows. A kernel that passes rows through rings and computes
// nothing reaches 0.89 to 0.95, and one with a thread for each 64 bytes 0.91: it is memory that is left.
#include "../layer_norm/behind.h"
#include "../layer_norm/rings.h"

extern "C" void solve(const __nv_bfloat16* in, const __nv_bfloat16* gamma, __nv_bfloat16* out, int rows, int columns,
                      float epsilon) {
  const NormArguments<__nv_bfloat16> arguments{{in}, gamma, nullptr, out, epsilon};
  if (columns <= 16384)
    run_norm<RmsNorm, __nv_bfloat16>(arguments, rows, columns);
  else if (columns <= 32768 || columns > 65536)
    run_norm_behind<RmsNorm, __nv_bfloat16>(arguments, rows, columns);
  else
    norm_through_rings<RmsNormThroughRings, __nv_bfloat16, 2, 16, 2, 4, 9, 2>(arguments, rows, columns);
}
