// Logged sums: additions of floats to global memory, on all host threads, with the bits of one.
//
// `atomicAdd(&sum, x)` of a float: the order of additions decides the last bits, so that blocks had to run one after
// the other. But such sums may be pending (scalar/pending_sums.h). Each host thread logs what its blocks add, and the
// logs are added to memory in the order of blocks (exec/launch/logged_sums.h):
//
//     thread 0    blocks 0-9  [ log ]──┐add   blocks 20-29 [ log ]──┐add
//     thread 1    blocks 10-19   [ log ]..... └─►add  blocks 30-39      └─► ...
//
// A kernel is chosen if nothing else in it depends on the order of blocks, such as a place in a list by the result of
// an atomic, and if all its sums are of one type.
#pragma once

#include <llvm/IR/Function.h>

#include "simt/compiler.h"

namespace warpwise::simt {

// An atomicrmw that is logged.
constexpr const char* kLogged = "ww.logged";

// Whether the order of blocks changes the answer: floating-point atomics on global memory, atomics whose result is
// used, and compare-and-swap.
bool is_order_sensitive(llvm::Function& kernel);

// Marks the sums of a kernel that is chosen, inserts the flushes that they need, and says what they are. `kernel` is
// scalar and will run in SIMT mode.
LoggedSums log_sums(llvm::Function& kernel);

}  // namespace warpwise::simt
