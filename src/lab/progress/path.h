// The path through the problems: what a learner has solved, what is open, what comes next.
#pragma once

#include "lab/problem/problem.h"
#include "lab/progress/progress.h"

namespace warpwise::lab {

using Standings = std::map<std::string, Standing>;  // by slug

Standing standing_of(const Standings& standings, const std::string& slug);

// Everything that it builds on is solved.
bool is_open(const Problem& problem, const Standings& standings);

// The first problem that is open and not solved, or else the first that is not solved; null: all are.
const Problem* next_problem(const std::vector<Problem>& problems, const Standings& standings);

}  // namespace warpwise::lab
