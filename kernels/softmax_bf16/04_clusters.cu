// step: bulk copies into a ring for long rows, clusters for the longest
// takes: columns % 8 == 0 and columns <= 262144
// needs: sm_90
//
// The kernels of the float ladder (../softmax/ring.h), with half the bytes per element: a block holds 32,768 elements,
// and eight blocks of a cluster hold 262,144.
//
// Expected: 0.95 of a copy for every length.
//
// Found (H200, 2026-11-23): 1.01 of a copy at 32768x1024; 0.99 at 16384x4096; 1.00 at 8192x16384; 0.73 at 4096x65536;
// 0.65 at 1024x262144. Up to 32,768 elements a row stays in registers, as in step 3; for 16,384 the ring reached 0.89.
// Long rows fall short: an SM has half the time that it has for as many floats, and a barrier of the cluster takes as
// long.
#include "../softmax/in_registers.h"
#include "../softmax/ring.h"

extern "C" void solve(const __nv_bfloat16* in, __nv_bfloat16* out, int rows, int columns) {
  using Op = Softmax<__nv_bfloat16>;
  int count = columns / 8;
  if (count <= 4096)
    softmax_in_registers(in, out, rows, columns);
  else if (count <= 8192)
    run_ring_of_clusters<Op, 1024, 4, 3>({{in}, out}, rows, columns, 2);
  else if (count <= 16384)
    run_ring_of_clusters<Op, 1024, 4, 3>({{in}, out}, rows, columns, 4);
  else
    run_ring_of_clusters<Op, 1024, 4, 3>({{in}, out}, rows, columns, 8);
}
