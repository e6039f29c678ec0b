// step: one pass: blocks that stay hold gamma and beta and the sums of their gradients in registers
// takes: columns % 4 == 0 and columns <= 131072
// needs: sm_90
//
// A thread meets the same eight columns in every row of its block. So the sums over rows cost no memory traffic at all
// until the end, when each team writes its own and a small kernel adds them (ring.h). Bulk copies bring the next rows
// of both matrices meanwhile.
//
// Expected: 0.93 of a copy of the same bytes: two matrices in, one out. The teams' sums are 1 to 3 % more.
//
// Found (H200, 2026-11-23): 0.94 of a copy at 32768x1024; 0.94 at 16384x4096. Since blocks tell each other
// their averages without barriers (2026-11-28): 0.96 at 8192x16384; 0.94 at 4096x65536.
#include "ring.h"

extern "C" void solve(const float* dy, const float* x, const float* gamma, const float* mean, const float* rstd,
                      float* dx, float* dgamma, float* dbeta, float* sums, int rows, int columns) {
  run_backward<true, float>({{dy, x}, dx, gamma, mean, rstd, sums}, dgamma, dbeta, rows, columns);
}
