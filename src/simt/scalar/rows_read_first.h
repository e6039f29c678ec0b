// Rows of a block's threads that share their words read them before any row writes them.
//
//     int i = blockIdx.x * blockDim.x + threadIdx.x;     // with blocks of 32 x 8 threads
//     for (int j = 0; j < n; ++j) x[i] += a[i * n + j] * y[j];
//
// The author forgot that there are eight rows of threads, all of which do the same work on the same words: a race.
// Hardware hardly ever loses it, because its warps all read x[i] hundreds of cycles before the first one has something
// to write. Warps that run one after the other would add the sum eight times. So the rows meet between the read and the
// write, as at a barrier; any order of unordered accesses is as good as any other, and `warpwise check` tells the race.
//
// Where: a kernel without barriers, atomics, volatile accesses and calls, whose threads can therefore wait for nobody;
// a read outside of loops, at an address that depends on threadIdx.x and surely on neither .y nor .z, under no
// condition that depends on these; behind it a write of the same address; and not where they would have to meet again
// and again in a long text, which would take long to compile.
#pragma once

#include <llvm/IR/Function.h>

#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

// Puts ww.barrier.sync between such reads and writes; whether there were any. `kernel` is tidy (prepare.h), and is
// going to run in converged mode.
bool rows_read_first(llvm::Function& kernel, const BlockShape& block);

}  // namespace warpwise::simt
