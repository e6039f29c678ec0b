// step: a row waits in shared memory as bfloat16, and is written while the next one comes
// takes: columns % 8 == 0 and columns <= 262144
// needs: sm_90
//
// Step 4 holds a row as floats in the registers of a cluster, and while its blocks tell each other their parts, nothing
// of the next row is on its way to those registers. Here a row of 65,536 lies in the shared memory of one SM, 128 KB of
// 227, and warps write it piece by piece while they add up the next one (../parts/row_rings.h). Longer rows are shared
// by two or four blocks.
//
// Expected: 0.95 of a copy. With 128 KB a row takes 8 us, of which the exchange is a small part.
//
// Found (H200, 2026-11-29, by nvcc, in turns with PyTorch): 0.92 of a copy at 4096x65536; 0.90 at 1024x262144. A kernel
// that passes rows through the same rings and computes nothing reaches 0.94, a thread for each 64 bytes 0.91. An
// exponential and its argument are one instruction each; with a subtraction and a factor more 4096x65536 had 0.85.
// 32 warps: 0.90 and 0.89; two blocks for a row of 65,536: 0.88.
#include "../softmax/in_registers.h"
#include "../softmax/rings.h"

extern "C" void solve(const __nv_bfloat16* in, __nv_bfloat16* out, int rows, int columns) {
  if (columns <= 32768)
    softmax_in_registers(in, out, rows, columns);
  else if (columns <= 65536)
    softmax_through_rings<__nv_bfloat16, 1, 16, 2, 8, 13, 2>(in, out, rows, columns);
  else if (columns <= 131072)
    softmax_through_rings<__nv_bfloat16, 2, 16, 4, 4, 6, 1>(in, out, rows, columns);
  else
    softmax_through_rings<__nv_bfloat16, 4, 16, 4, 4, 6, 1>(in, out, rows, columns);
}
