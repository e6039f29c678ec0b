// step: few rows are shared by the blocks of a cluster
// takes: columns % 4 == 0 and k <= 256 and columns >= k
// needs: sm_90
//
// Eight blocks read a row together, each one piece. The best threshold of eight is for all, and their lists meet in the
// shared memory of the first (filter.h).
//
// Expected: 8 us for one row and for sixteen: about 3 for the launch, 1.5 for the reading, the rest for three barriers
// of the cluster and the selection.
//
// Found (H200, 2026-11-23): 0.23 of reading at 1 row, k 8; 0.18 at 1 row, k 256; 0.25 at 16 rows, k 50; 0.45 at 128
// rows, k 8; 0.39 at 128 rows, k 256. Twice the expected time. A read of the same bytes takes 3.9 us, launch included;
// the rest are the sort, three barriers of the cluster and the selection.
#include "filter.h"

extern "C" void solve(const float* in, float* values, int* indices, int rows, int columns, int k) {
  int cluster = rows <= 8 ? 8 : rows <= 32 ? 4 : rows <= 64 ? 2 : 1;
  run_filter(in, values, indices, rows, columns, k, cluster);
}
