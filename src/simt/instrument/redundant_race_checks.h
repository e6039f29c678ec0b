// What code that looks for races need not tell, because of what else its region does.
//
// Between two barriers at which all warps of the block meet, loads of shared memory race with nothing where no
// instruction of that region writes shared memory, and sums not where there is nothing but sums. Tiles are filled in
// one region and read in another, so most of a tiled kernel's accesses have nobody to race with.
//
// Regions are cut long after accesses have been widened. So widening asks, and makes code for either answer:
//
//     br (call i1 @ww.race.question(i32 AccessKind)), %compare, %done
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// An access of shared memory stands here; may it race with anything?
constexpr const char* kRaceQuestion = "ww.race.question";

// Answers the questions of a region. `alone`: its accesses are all that happens between two barriers that all warps
// meet at.
void answer_race_questions(llvm::Function& region, bool alone);

}  // namespace warpwise::simt
