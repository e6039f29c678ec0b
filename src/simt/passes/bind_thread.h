// Split mode: the scalar program of one thread, bound to its ThreadContext.
//
//   void @kernel()  in the dialect   →   void @kernel.thread(ptr %thread)
//
// Indices are fields of the context, memory is reached through its bases, and what involves other
// threads is a call of a service in which the fiber may park. Functions that could not be inlined get
// the context as an extra first argument.
#pragma once

#include <llvm/IR/Module.h>

#include "base/result.h"
#include "simt/passes/lane_shapes.h"

namespace warpwise::simt {

// Binds the kernel and every function it calls. `spins`: loops yield at their back-edges.
Result<llvm::Function*> bind_thread(llvm::Module& module, llvm::Function& kernel, const BlockShape& block, bool spins);

}  // namespace warpwise::simt
