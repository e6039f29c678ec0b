// step: rows that blocks share are written one row later, when the other blocks' averages have come
// takes: columns % 8 == 0 and columns <= 131072
// needs: sm_90
//
// In step 2 a block of a cluster waits in each row for the others' averages. Here it adds up its share of the next row
// meanwhile, and reads both matrices' rows from shared memory once more to write dx (../layer_norm_backward/behind.h).
//
// Expected: 0.9 of a copy where a cluster shares a row.
//
// Found (H200, 2026-11-29, by nvcc, in turns with PyTorch): 0.81 of a copy at 8192x16384; 0.77 at 4096x65536, with two
// blocks of 256 threads on an SM. One block of 1024 threads: 0.78 and 0.73, two of 512 with a vector each: 0.67 and
// 0.68. Step 2 has 0.74 and 0.71. In floats, rows are twice as long, and it was no faster.
#include "../layer_norm_backward/behind.h"

extern "C" void solve(const __nv_bfloat16* dy, const __nv_bfloat16* x, const __nv_bfloat16* gamma, const float* mean,
                      const float* rstd, __nv_bfloat16* dx, __nv_bfloat16* dgamma, __nv_bfloat16* dbeta, float* sums,
                      int rows, int columns) {
  run_backward_behind<true>({{dy, x}, dx, gamma, mean, rstd, sums}, dgamma, dbeta, rows, columns);
}
