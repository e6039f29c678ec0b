// Loop counters that a parameter of the kernel bounds.
//
//     for (int i = threadIdx.x; i < n; i += 256) y[row * n + i] = x;       // 0 <= i < n
//
// Compilers test before each turn, or once before such a loop and then at the end of each turn:
//
//     if (t < n) do { ... i += 256; } while (i < n);
//
// The bound holds if the counter does not wrap: for numbers up to so far below the greatest as one step is wide. That
// is an assumption about the launch, which asks.
#pragma once

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "simt/analysis/affine_values.h"
#include "simt/launch_assumptions.h"

namespace warpwise::simt {

// Whether a value of 32 bits, which is a loop's counter, is at least 0 and less than a parameter wherever control comes
// to `at`: that parameter, with the range in which it must lie.
std::optional<LaunchRange> counter_bound(llvm::Value* value, const llvm::BasicBlock& at, AffineValues& values,
                                         const llvm::DominatorTree& dominators);

}  // namespace warpwise::simt
