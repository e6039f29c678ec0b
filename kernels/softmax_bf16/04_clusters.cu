// step: bulk copies into a ring for long rows, clusters for the longest
// takes: columns % 8 == 0 and columns <= 262144
// needs: sm_90
//
// The kernels of the float ladder (../softmax/ring.h), with half the bytes per element: a block holds 32,768 elements,
// and eight blocks of a cluster hold 262,144.
//
// Expected: 0.95 of a copy for every length.
#include "../softmax/in_registers.h"
#include "../softmax/ring.h"

extern "C" void solve(const __nv_bfloat16* in, __nv_bfloat16* out, int rows, int columns) {
  using Op = Softmax<__nv_bfloat16>;
  int count = columns / 8;
  if (count <= 256)
    softmax_in_registers(in, out, rows, columns);
  else if (count <= 1024)
    run_ring<Op, 256, 4, 3>({{in}, out}, rows, columns);
  else if (count <= 2048)
    run_ring<Op, 512, 4, 3>({{in}, out}, rows, columns);
  else if (count <= 4096)
    run_ring<Op, 1024, 4, 3>({{in}, out}, rows, columns);
  else if (count <= 8192)
    run_ring_of_clusters<Op, 1024, 4, 3>({{in}, out}, rows, columns, 2);
  else if (count <= 16384)
    run_ring_of_clusters<Op, 1024, 4, 3>({{in}, out}, rows, columns, 4);
  else
    run_ring_of_clusters<Op, 1024, 4, 3>({{in}, out}, rows, columns, 8);
}
