// Where a thread of split mode lets the others of its barrier read before it writes.
//
//     __syncthreads();  int task = next;  …  if (threadIdx.x == 0) next = …;  __syncthreads();
//
// Threads run one after the other. Here the first one has overwritten `next` when the second reads it: the race that
// hoist_block_reads.h describes, which hardware hardly ever loses. In converged mode such words are read for all warps
// at once; in split mode each thread goes on to its first write of shared memory behind a read of it, and there waits
// until all that the barrier released have come as far (Services::let_others_read).
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// Puts ww.let_others_read() before each write of what may be shared memory that is the first behind a read of such
// memory on some path from a barrier. `function` is in the dialect (dialect.h); the writes are not watched yet, or
// others would come between a write and the notice of it.
void let_others_read(llvm::Function& function);

}  // namespace warpwise::simt
