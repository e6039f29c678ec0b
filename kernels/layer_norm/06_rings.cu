// step: each warp has a ring of its own, and the copy engine writes, too
// takes: columns % 4 == 0 and columns <= 262144
// needs: sm_90
//
// A row of 262,144 floats is one megabyte, 64 KB for each of sixteen blocks. In step 4 they hold it in registers, where
// nothing of the next row can come before it is written. Here it waits in shared memory, and warps write it piece by
// piece while they add up the next one (../parts/row_rings.h). Gamma and beta fill half of the registers.
//
// Expected: 0.9 of a copy.
//
// Found (H200, 2026-11-29, by nvcc, in turns with PyTorch): 0.91 of a copy at 1024x262144, where step 4 had 0.82.
// Stores by threads: 0.83, or 0.85 with nine places in a ring in place of thirteen. At 65,536 columns step 5 is better,
// 0.91 to 0.89.
#include "behind.h"
#include "in_registers.h"
#include "rings.h"

extern "C" void solve(const float* in, const float* gamma, const float* beta, float* out, int rows, int columns,
                      float epsilon) {
  const NormArguments<float> arguments{{in}, gamma, beta, out, epsilon};
  if (columns <= 4096)
    run_in_registers(in, gamma, beta, out, rows, columns, epsilon);
  else if (columns <= 16384)
    run_norm<LayerNorm, float>(arguments, rows, columns);
  else if (columns <= 131072)
    run_norm_behind<LayerNorm, float>(arguments, rows, columns);
  else
    norm_through_rings<LayerNormThroughRings, float, 16, 16, 2, 4, 13, 2>(arguments, rows, columns);
}
