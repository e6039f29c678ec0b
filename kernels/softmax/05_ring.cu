// step: blocks that stay, and bulk copies that bring the next rows meanwhile
// takes: columns % 4 == 0 and columns <= 16384
// needs: sm_90
//
// One thread asks the copy engine for a row, and up to three rows are on their way while the block works (ring.h).
//
// Expected: 0.95 of a copy for rows from 4096 on. 192 KB of an SM's reads are in flight, some six times what hides the
// latency, and the arithmetic of a row of 16,384 (about 1.4 us) hides behind the 4 us that its bytes take.
//
// Found (H200, 2026-11-23): 1.01 of a copy at 32768x1024; 0.91 at 16384x4096; 0.93 at 8192x16384. The expectation was
// wrong: the simpler step 4 is faster. What the ring saves in waiting it loses because one block per SM loads,
// computes and stores in phases of its own, or so it seems; two independent blocks interleave by themselves.
#include "in_registers.h"
#include "ring.h"

extern "C" void solve(const float* in, float* out, int rows, int columns) {
  int count = columns / 4;
  if (count <= 256)
    softmax_in_registers(in, out, rows, columns);
  else if (count <= 1024)
    run_ring<Softmax<float>, 256, 4, 3>({{in}, out}, rows, columns);
  else if (count <= 2048)
    run_ring<Softmax<float>, 512, 4, 3>({{in}, out}, rows, columns);
  else
    run_ring<Softmax<float>, 1024, 4, 3>({{in}, out}, rows, columns);
}
