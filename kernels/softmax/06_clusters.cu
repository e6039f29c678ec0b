// step: a cluster of blocks for a row that no block can hold
// takes: columns % 4 == 0 and columns <= 262144
// needs: sm_90
//
// Two to sixteen blocks on neighbouring SMs share a row, as many as hold it in registers. They tell each other maximum
// and sum through distributed shared memory (in_clusters.h); the row itself is never read twice. Two blocks share an
// SM, as in step 4, and when a cluster ends the next one takes its place.
//
// Expected: 0.95 of a copy for every length. The exchange costs a microsecond per row, while the other blocks load.
//
// Found (H200, 2026-11-28): 0.89 of a copy at 4096x65536; 0.82 at 1024x262144. Short rows are step 4's. The ring of
// step 5 with clusters of two blocks and 32 floats per thread is as good at 65,536. Blocks of 1024 threads with 16
// floats each: 0.87 and 0.79.
#include "in_clusters.h"
#include "in_registers.h"

extern "C" void solve(const float* in, float* out, int rows, int columns) {
  if (columns <= 16384)
    softmax_in_registers(in, out, rows, columns);
  else
    softmax_in_clusters<float, 8, 512, 2>(in, out, rows, columns);
}
