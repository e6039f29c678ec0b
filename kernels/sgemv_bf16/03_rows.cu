// step: 16 bytes per access, two rows for each warp
// takes: columns % 8 == 0
//
// The kernel of the float ladder (../sgemv/rows.h). A vector has eight elements, so a row is half as many rounds.
//
// Expected: 0.93 of what reading takes from 8192 on. At 4096 the matrix is 32 MB, 8 us of reading, of which the start
// of the kernel is a good part.
//
// Found (H200, 2026-11-23): 1.06 of reading at 4096²; 1.00 at 8192²; 1.00 at 16384². With eight accesses per row in
// flight as fast as reading alone, and faster for the smallest.
#include "../sgemv/rows.h"

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* x, __nv_bfloat16* y, int rows, int columns) {
  run_rows<__nv_bfloat16, 2, 8, 64>(a, x, y, rows, columns);
}
