// Where a thread of split mode lets the others of its barrier read before it writes.
//
//     __syncthreads();  int task = next;  …  if (threadIdx.x == 0) next = …;  __syncthreads();
//
// Threads run one after the other. Here the first one has overwritten `next` when the second reads it: the race that
// read_early.h describes, which hardware hardly ever loses. In converged mode such words are read for all warps at once; in split mode
// each thread reads up to its first write behind the barrier, and then waits until all that the barrier released have come
// as far (Services::let_others_read).
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

namespace warpwise::simt {

// The writes before which to wait: of what may be shared memory, by a path from a barrier that reads shared memory and does not write
// it. `function` is in the dialect (dialect.h).
llvm::SmallVector<llvm::Instruction*, 8> writes_behind_reads(llvm::Function& function);

}  // namespace warpwise::simt
