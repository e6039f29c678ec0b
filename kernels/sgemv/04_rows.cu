// step: two rows for each warp, so that a piece of x serves both
// takes: columns % 4 == 0
//
// Expected: 0.95 of what reading takes. 4096 rows are 2048 warps, 15 or 16 on each SM, with 4 KB in flight each; they
// all run at once, and small blocks spread them evenly.
//
// Found (H200, 2026-11-23): 1.03 of reading at 4096²; 1.00 at 8192²; 0.99 at 16384². With eight accesses per row in
// flight as fast as reading alone; with four 0.88 to 0.97.
#include "rows.h"

extern "C" void solve(const float* a, const float* x, float* y, int rows, int columns) {
  run_rows<float, 2, 8, 64>(a, x, y, rows, columns);
}
