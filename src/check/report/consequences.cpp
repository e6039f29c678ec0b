#include "check/report/consequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

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

// A race with one of several readers, of which the name is not known (word_history.h).
bool has_unnamed_reader(const Finding& finding) {
  return is_race(finding) && finding.parties.size() == 2 && finding.parties[0].thread &&
         finding.parties[1].role == "read" && !finding.parties[1].thread;
}

bool same_place(const Party& a, const Party& b) {
  return a.role == b.role && a.kernel == b.kernel && a.code.known() && a.code == b.code;
}

// Whether a race that names both threads covers one with an unnamed reader: the same two places, or the same writer
// with a thread outside of its warp.
bool covers(const Finding& named, const Finding& unnamed) {
  if (!is_race(named) || has_unnamed_reader(named) || named.parties.size() != 2) return false;
  const Party &writer = unnamed.parties[0], &reader = unnamed.parties[1];
  for (const unsigned first : {0u, 1u}) {
    if (!same_place(named.parties[first], writer)) continue;
    if (named.code != "C0202" || same_place(named.parties[1 - first], reader)) return true;
  }
  return false;
}

// Two places of one function of a kernel, the upper line first.
struct Span {
  std::string kernel, file, function;
  uint32_t first = 0, last = 0;
};

// Nothing where a place has no line, or where the two lie in different functions: then no line stands between them.
std::optional<Span> span_of(const Finding& finding) {
  if (finding.parties.size() != 2) return std::nullopt;
  const Party &one = finding.parties[0], &other = finding.parties[1];
  if (one.kernel != other.kernel || one.code.frames.empty() || other.code.frames.empty()) return std::nullopt;
  const SourcePlace &a = one.code.frames[0], &b = other.code.frames[0];
  if (a.line == 0 || b.line == 0 || a.file != b.file || a.function != b.function) return std::nullopt;
  const auto [first, last] = std::minmax(a.line, b.line);
  return Span{one.kernel, a.file, a.function, first, last};
}

// Whether the barrier that is missing between the accesses of a race across warps is missing between those of a race in
// a warp: they are at the same lines, or the lines overlap by more than an end.
bool lacks_the_same_barrier(const Span& block, const Span& warp) {
  if (block.kernel != warp.kernel || block.file != warp.file || block.function != warp.function) return false;
  if (block.first == warp.first && block.last == warp.last) return true;
  return std::max(block.first, warp.first) < std::min(block.last, warp.last);
}

void add_note(Finding& finding, std::string note) {
  if (std::find(finding.notes.begin(), finding.notes.end(), note) == finding.notes.end())
    finding.notes.push_back(std::move(note));
}

using Follows = std::vector<bool>;  // by index: the finding is left out

void drop_unnamed_readers(std::vector<Finding>& findings, Follows& follows) {
  for (size_t n = 0; n < findings.size(); ++n) {
    if (!has_unnamed_reader(findings[n])) continue;
    auto named = std::find_if(findings.begin(), findings.end(),
                              [&](const Finding& other) { return covers(other, findings[n]); });
    if (named != findings.end()) named->threads += findings[n].threads, follows[n] = true;
  }
}

// Whether the race is one of this read with a write.
bool is_race_of(const Finding& race, const Party& read) {
  return is_race(race) &&
         std::any_of(race.parties.begin(), race.parties.end(), [&](const Party& p) { return reads_at(p, read); });
}

// Whether the write of a race stands above the read: the read should follow it.
bool stands_above(const Finding& race, const Party& read) {
  const auto span = span_of(race);
  return span && span->first < read.code.frames[0].line;
}

void drop_uninitialised_reads(std::vector<Finding>& findings, Follows& follows) {
  for (size_t n = 0; n < findings.size(); ++n) {
    if ((findings[n].code != "C0301" && findings[n].code != "C0302") || findings[n].parties.empty()) continue;
    const Party& read = findings[n].parties[0];
    std::vector<Finding*> races;
    for (Finding& other : findings)
      if (is_race_of(other, read)) races.push_back(&other);
    if (races.empty()) continue;
    // The write below a read did not come too late for it. In a loop, there may be no other.
    auto above = [&](const Finding* race) { return stands_above(*race, read); };
    if (std::any_of(races.begin(), races.end(), above)) std::erase_if(races, std::not_fn(above));
    for (Finding* race : races) add_note(*race, "in some orders the read comes first, and finds uninitialised memory");
    follows[n] = true;
  }
}

void drop_races_in_warps(std::vector<Finding>& findings, Follows& follows) {
  for (size_t n = 0; n < findings.size(); ++n) {
    if (findings[n].code != "C0202" || follows[n]) continue;
    const auto warp = span_of(findings[n]);
    if (!warp) continue;
    for (size_t m = 0; m < findings.size(); ++m) {
      if (findings[m].code != "C0201" || follows[m]) continue;
      const auto block = span_of(findings[m]);
      if (!block || !lacks_the_same_barrier(*block, *warp)) continue;
      add_note(findings[m],
               warp->first == warp->last
                   ? fmt::format("threads of one warp race as well, at line {}", warp->first)
                   : fmt::format("threads of one warp race as well, at lines {} and {}", warp->first, warp->last));
      follows[n] = true;
      break;
    }
  }
}

}  // namespace

void drop_consequences(std::vector<Finding>& findings) {
  Follows follows(findings.size());
  drop_unnamed_readers(findings, follows);
  drop_uninitialised_reads(findings, follows);
  drop_races_in_warps(findings, follows);
  size_t n = 0;
  std::erase_if(findings, [&](const Finding&) { return follows[n++]; });
}

}  // namespace warpwise::check::report
