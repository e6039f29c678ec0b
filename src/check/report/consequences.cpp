#include "check/report/consequences.h"

#include <algorithm>

namespace warpwise::check::report {
namespace {

bool is_race(const Finding& finding) {
  const Rule* rule = find_rule(finding.code);
  return rule && rule->checker == Checker::Race && rule->severity == Severity::Error;
}

bool reads_at(const Party& party, const Party& reader) {
  return party.role != "write" && party.kernel == reader.kernel && party.code.known() && party.code.frames == reader.code.frames;
}

}  // namespace

void drop_consequences(std::vector<Finding>& findings) {
  std::vector<bool> follows(findings.size());
  for (size_t n = 0; n < findings.size(); ++n) {
    const Finding& blank = findings[n];
    if ((blank.code != "C0301" && blank.code != "C0302") || blank.parties.empty()) continue;
    for (Finding& race : findings) {
      if (!is_race(race)) continue;
      if (std::none_of(race.parties.begin(), race.parties.end(), [&](const Party& p) { return reads_at(p, blank.parties[0]); })) continue;
      const char* note = "in some orders the read comes first, and finds memory that nobody has written";
      if (std::find(race.notes.begin(), race.notes.end(), note) == race.notes.end()) race.notes.emplace_back(note);
      follows[n] = true;
    }
  }
  size_t n = 0;
  std::erase_if(findings, [&](const Finding&) { return follows[n++]; });
}

}  // namespace warpwise::check::report
