// step: thresholds from 32 samples instead of sorting and halving; blocks tell each other without barriers
// takes: columns % 4 == 0 and k <= 256 and columns >= k
// needs: sm_90
//
// Step 04 spends 12 us on a row beside reading it: a sort in each warp, three barriers of the cluster, and some forty
// turns of halving with a barrier each. Here a threshold is the best of 32 samples, one for each warp to try: of the
// largest elements of 512 groups, that which at least k of them reach. Some tens of keys more than k are left, and
// ordering them by counting is shared by the blocks (few.h). Many rows have a block each, whose bytes come by bulk
// copies while it filters (stream.h).
//
// Expected: 6 us for one row, 0.9 of reading for 128.
//
// Found (H200, 2026-11-28): 10.6 us for one row and k = 8, where step 04 took 20.2 in the same run, 14.0 for k = 256,
// 13.4 for 16 rows; 0.69 of reading for 128 rows and k = 8, 0.48 for k = 256. Clusters of eight blocks for a row are as
// good as clusters of 16, and for 16 rows four are better than eight (18.2 us).
#include "few.h"
#include "stream.h"

extern "C" void solve(const float* in, float* values, int* indices, int rows, int columns, int k) {
  bool long_rows = columns > kPieceVectors * 4;  // a shorter one is a single piece for a block
  if (long_rows && rows <= 8 && columns <= kThreads * 4 * 4 * 8)
    run_few<4, 2>(in, values, indices, rows, columns, k, 8);
  else if (long_rows && rows <= 32 && columns <= kThreads * 4 * 8 * 4)
    run_few<8, 4>(in, values, indices, rows, columns, k, 4);
  else
    run_stream(in, values, indices, rows, columns, k);
}
