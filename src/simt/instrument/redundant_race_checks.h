// Redundant race-check elimination: which checks of shared memory a region between barriers does not need.
//
// Between two barriers at which all warps of the block wait, loads of shared memory race with nothing if no instruction
// of that region writes shared memory. Atomic additions race with nothing if there are only atomics. Tiles are filled
// in one region and read in another: most accesses of a tiled kernel have nothing to race with. GPUVerify reasons about
// barrier intervals in a similar way.
//
// Regions are cut long after accesses have been vectorised. The vectoriser therefore emits code for both answers,
// behind a call that this pass replaces by a constant:
//
//     br (call i1 @ww.race.question(i32 AccessKind)), %compare, %done
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// An access of shared memory stands here; may it race with anything?
constexpr const char* kRaceQuestion = "ww.race.question";

// Replaces the calls in a region. `alone`: its accesses are all that happens between two barriers at which all warps
// wait.
void answer_race_questions(llvm::Function& region, bool alone);

}  // namespace warpwise::simt
