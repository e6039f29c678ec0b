// How the threads of a warp lie in local memory.
//
//   one after the other    each thread's memory is one piece, and `a[i]` with the same i in all lanes is a gather
//   interleaved            the first word of all lanes, then the second of all, as on a GPU: `a[i]` is one vector
//
// A pointer to local memory names a piece. So memory is interleaved only where a kernel accesses it by ld.local and
// st.local alone, and nothing else looks at it: no checker, and no counter.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace warpwise::simt {

// The bytes that neighbouring lanes have side by side: the size of the largest access. 0: one thread after the other.
uint32_t interleaved_unit(const llvm::Function& kernel);

}  // namespace warpwise::simt
