#include "lab/progress/path.h"

#include <algorithm>

namespace warpwise::lab {

Standing standing_of(const Standings& standings, const std::string& slug) {
  const auto found = standings.find(slug);
  return found == standings.end() ? Standing{} : found->second;
}

bool is_open(const Problem& problem, const Standings& standings) {
  return std::all_of(problem.needs.begin(), problem.needs.end(),
                     [&](const std::string& need) { return standing_of(standings, need).accepted; });
}

const Problem* next_problem(const std::vector<Problem>& problems, const Standings& standings) {
  const Problem* any = nullptr;
  for (const Problem& p : problems) {
    if (standing_of(standings, p.slug).accepted) continue;
    if (!any) any = &p;
    if (is_open(p, standings)) return &p;
  }
  return any;
}

}  // namespace warpwise::lab
