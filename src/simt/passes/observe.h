// Code that watches itself (simt/shadow.h): beside each access of the scalar program stands the same access of the
// shadow, and a call of ww.notice for the threads whose access its shadow does not allow. Because it is the program of one
// thread that is changed, both modes get it, and the shadow's accesses become the same vectors as the accesses they go with.
//
// Where a kernel will be widened, most accesses get one call of ww.look instead, which widening makes the same of behind a
// test that makes most of it superfluous (widen/look.cpp).
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace warpwise::simt {

struct ObserveOptions {
  uint32_t watch = 0;         // bits of Watch
  bool converged = false;     // the function will be widened
  bool copies_later = false;  // somebody copies to shared memory asynchronously
};

// After the mode has been chosen, which nothing here may change; no control flow is added. Returns the parameters that may be
// written through (CompiledKernel::written_pointers), for those who look for races.
uint64_t observe(llvm::Function& function, const ObserveOptions& options);

}  // namespace warpwise::simt
