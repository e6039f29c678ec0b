// From a module of a kernel and its device functions to one function, where that is possible: the passes that vectorise
// know no calls.
//
// Functions that recurse, or that are called through a pointer, stay; such a kernel runs in independent-thread mode.
#pragma once

#include <llvm/IR/Module.h>

namespace warpwise::simt {

// Inlines every call of a device function that can be inlined, makes `exit` inside the inlined code a return from the
// kernel, and deletes the functions that the kernel no longer reaches.
void inline_functions(llvm::Module& module, llvm::Function& kernel);

// Deletes the functions that the kernel does not reach. Later passes leave more of them: a call on a path that turns
// out never to be taken goes away, and what it called stays behind.
void drop_unreached(llvm::Module& module, llvm::Function& kernel);

// Whether the kernel calls functions with a body, directly or through a pointer.
bool has_calls(const llvm::Function& kernel);

}  // namespace warpwise::simt
