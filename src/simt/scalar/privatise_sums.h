// Privatised (deferred) reductions: red.add, and atom.add whose old value is not used.
//
// `atomicAdd(&bins[x], 1)` on global memory is a locked addition on a cache line for which host threads contend: 20 to
// 60 cycles for each lane. But they may be pending (scalar/pending_sums.h), and several additions to one place may
// happen as one. Each host thread therefore sums privately, in a window over the addresses that the kernel adds to
// (exec/launch/privatised_sums.h), and flushes its sums later: it adds them to memory at the end of its part of the
// launch, or where the kernel asks for them.
//
//     lane in the window?   counters[(address - window) / size] += value      plain code, about 2 cycles for each lane
//     otherwise             lock add
//
// Integers only: a sum of floats depends on the order (scalar/log_sums.h). Kernels whose blocks wait for each other are
// left alone.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// An atomicrmw that the pass has chosen. All of a kernel have one type.
constexpr const char* kPrivatised = "ww.privatised";

// `kernel` is scalar and will run in SIMT mode.
void privatise_sums(llvm::Function& kernel);

}  // namespace warpwise::simt
