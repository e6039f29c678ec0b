// step: a cluster of blocks for a row that no block can hold
// takes: columns % 8 == 0 and columns <= 262144
// needs: sm_90
//
// The kernel of the float ladder (../softmax/in_clusters.h), with 32 elements in the registers of each of 512 threads.
//
// Expected: 0.95 of a copy for every length.
//
// Found (H200, 2026-11-28): 0.74 of a copy at 4096x65536; 0.65 at 1024x262144. Up to 32,768 elements a row stays in the
// registers of a block, as in step 3. Long rows fall short: an SM has half the time that it has for as many floats, and
// an exchange takes as long. 1024 threads with 16 elements each: 0.62 and 0.54.
#include "../softmax/in_clusters.h"
#include "../softmax/in_registers.h"

extern "C" void solve(const __nv_bfloat16* in, __nv_bfloat16* out, int rows, int columns) {
  if (columns <= 32768)
    softmax_in_registers(in, out, rows, columns);
  else
    softmax_in_clusters<__nv_bfloat16, 4, 512, 2>(in, out, rows, columns);
}
