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
//     br (call i1 @ww.race.question(i32 AccessKind, i1 disjoint)), %compare, %done
//
// Some accesses are known to be disjoint with all others of other threads between the same two barriers
// (instrument/disjoint_accesses.h). They need no check, whatever else the region does.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// An access of shared memory stands here; may it race with anything?
constexpr const char* kRaceQuestion = "ww.race.question";

// Replaces the calls in a region. `alone`: its accesses are all that happens between two barriers at which all warps
// wait.
void answer_race_questions(llvm::Function& region, bool alone);

// Whether anything in a region can reach the race checker: accesses that are checked, what orders accesses.
bool concerns_races(llvm::Function& region);

}  // namespace warpwise::simt
