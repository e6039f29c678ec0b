// step: 16 bytes per access, four accesses in flight
// takes: columns % 4 == 0
//
// Expected: 0.9 of what reading takes for the largest matrix. Each vector of the matrix still costs a load of x.
//
// Found (H200, 2026-11-23): 1.01 of reading at 4096²; 0.99 at 8192²; 0.98 at 16384².
#include "rows.h"

extern "C" void solve(const float* a, const float* x, float* y, int rows, int columns) {
  run_rows<float, 1, 4, 256>(a, x, y, rows, columns);
}
