// step: the end is rehearsed while the first bytes are on their way
// takes: columns % 4 == 0 and k <= 256 and columns >= k
// needs: sm_90
//
// What step 05 does after the last byte of a row takes 3.8 us, and part of it is not work: that code has not run
// before, so its instructions come from L2 or memory, one line after the other, while nothing is read. But a block has
// nothing to do before its first bytes land, and 4 us pass until then: it goes through the end once, with 64 keys of
// zero and nothing to write (rehearsed.h).
//
// The rest is the end made shorter. A second choice among the samples that reach the first threshold leaves 50 keys
// instead of 200 for k = 8, so the list need not be shortened. Keys are ordered by all warps: for 300 of them ten did
// it before.
//
// Expected: 0.9 of reading for 128 rows and k = 8.
//
// Found (H200, 2026-11-29): 21.5 us for 128 rows and k = 8, 33.3 for k = 256, where step 05 took 24.9 and 37.0 in the
// same run. The rehearsal alone is worth 0.5 us, the second choice 1.2. With k = 256 the end still takes 7 us: 1,200
// keys are shortened to 300, and those compared with each other. Few rows go as in step 05.
#include "rehearsed.h"

extern "C" void solve(const float* in, float* values, int* indices, int rows, int columns, int k) {
  bool long_rows = columns > kPieceVectors * 4;  // a shorter one is a single piece for a block
  if (long_rows && rows <= 8 && columns <= kThreads * 4 * 4 * 8)
    run_few<4, 2>(in, values, indices, rows, columns, k, 8);
  else if (long_rows && rows <= 32 && columns <= kThreads * 4 * 8 * 4)
    run_few<8, 4>(in, values, indices, rows, columns, k, 4);
  else
    run_rehearsed(in, values, indices, rows, columns, k);
}
