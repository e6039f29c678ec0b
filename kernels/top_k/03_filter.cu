// step: one read: a threshold from the first piece filters the rest of the row
// takes: columns % 4 == 0 and k <= 256 and columns >= k
// needs: sm_90
//
// A low but sure threshold costs one sort of 32 numbers per warp, and lets one element in a hundred pass. What passes
// is sorted out in shared memory (filter.h).
//
// Expected: 128 rows at 0.85 of what reading takes: a row for each SM, and its end, two microseconds of selecting, is
// not hidden. One row is still read by one SM: 512 KB, some 8 us at 64 bytes per cycle, and 12 in all.
//
// Found (H200, 2026-11-23): 0.11 of reading at 1 row, k 8; 0.10 at 1 row, k 256; 0.15 at 16 rows, k 50; 0.45 at 128
// rows, k 8; 0.39 at 128 rows, k 256. The filter and the selection cost more than expected: beside 16 us for the bytes
// of 128 rows they take 25 us.
#include "filter.h"

extern "C" void solve(const float* in, float* values, int* indices, int rows, int columns, int k) {
  run_filter(in, values, indices, rows, columns, k, 1);
}
