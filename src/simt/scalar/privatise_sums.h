// Privatised (deferred) reductions: red.add, and atom.add whose old value is not used.
//
// `atomicAdd(&bins[x], 1)` on global memory is a locked addition on a cache line for which host threads contend: 20 to
// 60 cycles for each lane. But a relaxed addition whose old value is not used may happen at any time before its thread
// next orders memory (PTX ISA 8, "Memory Consistency Model": no causality without a fence or a barrier), and several
// additions to one place may happen as one. Each host thread therefore sums privately, in a window over the addresses
// that the kernel adds to (exec/launch/privatised_sums.h), and flushes its sums later: it adds them to memory.
//
//     lane in the window?   counters[(address - window) / size] += value      plain code, about 2 cycles for each lane
//     otherwise             lock add
//
// Sums are flushed
//   - at the end of the host thread's part of the launch,
//   - before fences, atomics that order, volatile accesses and services (ww.flush_sums), and
//   - before a plain access of a place inside the window, because each thread sees its own additions
//   (ww.flush_sums.at).
// The pass inserts a flush only where it can run after a sum: a kernel that ends with its sums has no such place.
//
// Integers only: a sum of floats depends on the order. Sums of .sys scope, and kernels whose blocks wait for each
// other, are left alone.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// An atomicrmw that the pass has chosen. All of a kernel have one type.
constexpr const char* kPrivatised = "ww.privatised";

// `kernel` is scalar and will run in SIMT mode.
void privatise_sums(llvm::Function& kernel);
// Removes the flushes where the kernel runs in independent-thread mode after all. True when there were any.
bool forget_privatised_sums(llvm::Function& kernel);

}  // namespace warpwise::simt
