// Independent-thread mode: the scalar program of one thread, bound to its ThreadContext.
//
//   void @kernel()  in the dialect   →   void @kernel.thread(ptr %thread)
//
// Indices are fields of the context, memory is reached through its bases, and what involves other
// threads is a call of a service in which the fiber may park. Functions that could not be inlined get
// the context as an extra first argument.
#pragma once

#include <llvm/IR/Module.h>

#include "base/result.h"
#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

struct ThreadOptions {
  uint32_t local_bytes = 0;  // of a thread
  bool spins = false;        // loops yield at their back-edges
};

// Binds the kernel and every function it calls.
Result<llvm::Function*> bind_thread(llvm::Module& module, llvm::Function& kernel, const BlockShape& block,
                                    const ThreadOptions& options);

}  // namespace warpwise::simt
