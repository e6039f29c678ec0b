// step: 16 bytes per access, two rows for each warp
// takes: columns % 8 == 0
//
// The kernel of the float ladder (../sgemv/rows.h). A vector has eight elements, so a row is half as many rounds.
//
// Expected: 0.93 of what reading takes from 8192 on. At 4096 the matrix is 32 MB, 8 us of reading, of which the start
// of the kernel is a good part.
#include "../sgemv/rows.h"

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* x, __nv_bfloat16* y, int rows, int columns) {
  run_rows<__nv_bfloat16, 2, 4, 64>(a, x, y, rows, columns);
}
