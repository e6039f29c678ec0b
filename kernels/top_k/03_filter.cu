// step: one read: a threshold from the first piece filters the rest of the row
// takes: columns % 4 == 0 and k <= 256 and columns >= k
//
// A low but sure threshold costs one sort of 32 numbers per warp, and lets one element in a hundred pass. What passes
// is sorted out in shared memory (filter.h).
//
// Expected: 128 rows at 0.85 of what reading takes: a row for each SM, and its end, two microseconds of selecting, is
// not hidden. One row is still read by one SM: 512 KB, some 8 us at 64 bytes per cycle, and 12 in all.
#include "filter.h"

extern "C" void solve(const float* in, float* values, int* indices, int rows, int columns, int k) {
  run_filter(in, values, indices, rows, columns, k, 1);
}
