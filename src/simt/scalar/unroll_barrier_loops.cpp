#include "simt/scalar/unroll_barrier_loops.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

constexpr unsigned kMostSteps = 16;
// Of one loop, unrolled, as scalar instructions; each becomes one to four vector instructions for a warp.
constexpr unsigned kMostUnrolled = 320;

bool has_barrier(const Loop& loop) {
  for (const BasicBlock* bb : loop.blocks())
    for (const Instruction& i : *bb)
      if (dialect_of(&i) == Dialect::BarrierSync) return true;
  return false;
}

unsigned instructions_of(const Loop& loop) {
  unsigned count = 0;
  for (const BasicBlock* bb : loop.blocks()) count += unsigned(bb->size());
  return count;
}

}  // namespace

bool unroll_barrier_loops(Function& kernel) {
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  if (loops.empty()) return false;
  AssumptionCache assumptions(kernel);
  TargetLibraryInfoImpl no_libraries;
  TargetLibraryInfo libraries(no_libraries, &kernel);
  ScalarEvolution evolution(kernel, libraries, assumptions, dominators, loops);
  TargetTransformInfo target(kernel.getDataLayout());
  bool changed = false;
  for (Loop* loop : to_vector(loops.getLoopsInPreorder())) {
    if (!loop->isInnermost() || !has_barrier(*loop)) continue;
    const unsigned steps = evolution.getSmallConstantTripCount(loop);
    if (steps == 0 || steps > kMostSteps || steps * instructions_of(*loop) > kMostUnrolled) continue;
    UnrollLoopOptions options{};
    options.Count = steps;
    options.Force = true;
    // What UnrollLoop relies on: one way in, and a phi at every exit for what is used outside.
    if (!loop->isLoopSimplifyForm()) continue;
    changed |= formLCSSARecursively(*loop, dominators, &loops, &evolution);
    changed |= UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &target, nullptr,
                          /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
  }
  return changed;
}

}  // namespace warpwise::simt
