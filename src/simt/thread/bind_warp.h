// Independent-warp mode: the program of a warp as the code of a fiber.
//
//   void @kernel.warp(ptr %block, i32 %warp)   →   void @kernel.warp.fiber(ptr %thread)
//
// %thread is the ThreadContext of the warp's first thread.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// The new function, which takes the body; `warp` is deleted.
llvm::Function* bind_warp(llvm::Function& warp);

}  // namespace warpwise::simt
