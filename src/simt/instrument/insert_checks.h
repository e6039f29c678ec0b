// Inserts shadow checks (instrument/events.h): beside each access of the scalar program, the same access of the shadow,
// and a call of ww.event for the threads whose access the shadow does not allow. The pass changes the program of one
// thread, so both modes get the checks, and the accesses of the shadow become the same vectors as those they go with.
//
// Where a kernel will be vectorised, most accesses get one call of ww.shadow_check instead. The vectoriser expands it
// to the same, behind a test that makes most checks redundant (instrument/vectorise_shadow_checks.cpp).
//
// For kWatchOrder it puts a ww.race beside each access that may race (instrument/access_checks.h).
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <vector>

#include "simt/analysis/lane_shapes.h"
#include "simt/compiler.h"
#include "simt/instrument/shadow.h"

namespace warpwise::simt {

struct CheckOptions {
  uint32_t watch = 0;         // bits of Watch
  bool vectorised = false;    // the function will be vectorised
  bool copies_later = false;  // the kernel copies to shared memory asynchronously
  const llvm::Function* kernel = nullptr;
  BlockShape block;           // in which it will run
  uint32_t local_stride = 0;  // between two threads' local memories
  std::vector<SharedBytes> shared_variables;
};

// What the race checker must know of the code (CompiledKernel); of several functions together.
struct InsertedChecks {
  uint64_t written_pointers = 0, accessed_pointers = 0, plain_pointers = 0;
  std::vector<ApartAccesses> apart;
  std::vector<RaceSite> sites;
  uint32_t numbers[2] = {0, 0};  // how many of the sites may access global memory, and shared memory
  std::vector<InlinedCall> calls;
};

// Runs after the mode has been chosen. Adds no control flow, and nothing that would choose another mode.
void insert_checks(llvm::Function& function, const CheckOptions& options, InsertedChecks& inserted);

}  // namespace warpwise::simt
