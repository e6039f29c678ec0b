// Code that watches itself (simt/instrument/events.h): beside each access of the scalar program stands the same access
// of the shadow, and a call of ww.event for the threads whose access its shadow does not allow. Because it is the
// program of one thread that is changed, both modes get it, and the shadow's accesses become the same vectors as the
// accesses they go with.
//
// Where a kernel will be widened, most accesses get one call of ww.shadow_check instead, which widening makes the same
// of behind a test that makes most of it superfluous (instrument/vectorise_shadow_checks.cpp).
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <vector>

#include "simt/compiler.h"

namespace warpwise::simt {

struct CheckOptions {
  uint32_t watch = 0;         // bits of Watch
  bool converged = false;     // the function will be widened
  bool copies_later = false;  // somebody copies to shared memory asynchronously
};

// What those who look for races must know of the code (CompiledKernel); of several functions together.
struct InsertedChecks {
  uint64_t written_pointers = 0;
  std::vector<WatchedSite> sites;
  uint32_t numbers[2] = {0, 0};  // how many of the sites may access global memory, and shared memory
  std::vector<InlinedCall> calls;
};

// After the mode has been chosen, which nothing here may change; no control flow is added.
void insert_checks(llvm::Function& function, const CheckOptions& options, InsertedChecks& observed);

}  // namespace warpwise::simt
