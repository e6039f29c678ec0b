// Sums nobody looks at yet: red.add, and atom.add without a taker.
//
// `atomicAdd(&bins[x], 1)` on global memory is a locked addition on a cache line that other host threads want, too: 20
// to 60 cycles for each lane. But a relaxed addition whose old value nobody takes may happen at any time before its
// thread next orders memory (PTX ISA 8, "Memory Consistency Model": no causality without a fence or a barrier), and
// several additions to one place may happen as one. So a host thread adds up privately, in a window over the addresses
// that the kernel adds to (exec/launch/privatised_sums.h), and settles: adds what has come together to where it
// belongs.
//
//     lane in the window?   counters[(address - window) / size] += value      plain code, about 2 cycles for each lane
//     otherwise             lock add
//
// When it settles: at the end of the host thread's part of the launch; before fences, atomics that order, volatile
// accesses and services (ww.flush_sums); and before a plain access of a place inside the window, because each thread
// sees its own additions (ww.flush_sums.at). Only what can run after a sum is asked: a kernel that ends with its sums
// has no such place.
//
// Integers only: the sum of floats depends on the order. Not for kernels whose blocks wait for each other, nor .sys.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// An atomicrmw that the pass has chosen. All of a kernel have one type.
constexpr const char* kPrivatised = "ww.postponed";

// On the scalar program of a kernel that becomes converged code.
void privatise_sums(llvm::Function& kernel);
// The kernel becomes split code after all.
void forget_privatised_sums(llvm::Function& kernel);

}  // namespace warpwise::simt
