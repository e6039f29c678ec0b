#include "check/report/consequences.h"

#include <algorithm>

namespace warpwise::check::report {
namespace {

bool is_race(const Finding& finding) {
  const Rule* rule = find_rule(finding.code);
  return rule && rule->checker == Checker::Race && rule->severity == Severity::Error;
}

bool reads_at(const Party& party, const Party& reader) {
  return party.role != "write" && party.kernel == reader.kernel && party.code.known() &&
         party.code.frames == reader.code.frames;
}

// A race with one of several readers, of whom nobody knows which (race_checker.h).
bool names_both(const Finding& finding) {
  return is_race(finding) && finding.parties.size() == 2 && finding.parties[0].thread &&
         finding.parties[1].role == "read" && !finding.parties[1].thread;
}

bool same_place(const Party& a, const Party& b) {
  return a.role == b.role && a.kernel == b.kernel && a.code.known() && a.code == b.code;
}

// Whether a race that knows both names tells what one with somebody does: of the same two places, or of the same writer
// with somebody outside of his warp.
bool says_who(const Finding& named, const Finding& between_two) {
  if (!is_race(named) || names_both(named) || named.parties.size() != 2) return false;
  const Party &writer = between_two.parties[0], &reader = between_two.parties[1];
  for (const unsigned first : {0u, 1u}) {
    if (!same_place(named.parties[first], writer)) continue;
    if (named.code != "C0202" || same_place(named.parties[1 - first], reader)) return true;
  }
  return false;
}

}  // namespace

void drop_consequences(std::vector<Finding>& findings) {
  std::vector<bool> follows(findings.size());
  for (size_t n = 0; n < findings.size(); ++n) {
    if (!names_both(findings[n])) continue;
    auto named = std::find_if(findings.begin(), findings.end(),
                              [&](const Finding& other) { return says_who(other, findings[n]); });
    if (named != findings.end()) named->threads += findings[n].threads, follows[n] = true;
  }
  for (size_t n = 0; n < findings.size(); ++n) {
    const Finding& blank = findings[n];
    if ((blank.code != "C0301" && blank.code != "C0302") || blank.parties.empty()) continue;
    for (Finding& race : findings) {
      if (!is_race(race)) continue;
      if (std::none_of(race.parties.begin(), race.parties.end(),
                       [&](const Party& p) { return reads_at(p, blank.parties[0]); }))
        continue;
      const char* note = "in some orders the read comes first, and finds memory that nobody has written";
      if (std::find(race.notes.begin(), race.notes.end(), note) == race.notes.end()) race.notes.emplace_back(note);
      follows[n] = true;
    }
  }
  size_t n = 0;
  std::erase_if(findings, [&](const Finding&) { return follows[n++]; });
}

}  // namespace warpwise::check::report
