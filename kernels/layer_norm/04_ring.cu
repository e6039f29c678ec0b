// step: blocks that stay keep their weights, and bulk copies bring the next rows meanwhile
// takes: columns % 4 == 0 and columns <= 262144
// needs: sm_90
//
// Blocks walk over the rows, so a thread loads gamma and beta once. One thread asks the copy engine for the next rows
// while the block works (ring.h); a row that is too long for one block is shared by a cluster.
//
// Expected: 0.95 of a copy for every length: the row in, the row out, and nothing else.
#include "ring.h"

extern "C" void solve(const float* in, const float* gamma, const float* beta, float* out, int rows, int columns,
                      float epsilon) {
  run_norm<LayerNorm, float>({{in}, gamma, beta, out, epsilon}, rows, columns);
}
