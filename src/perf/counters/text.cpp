#include "perf/counters/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::perf {

namespace {

struct Launches {
  LaunchCounts sum;  // of all launches; shape and lines of the first
  uint64_t launches = 1;
  float worst_error = 0;
};

std::string extent(const device::Dim3& d) {
  if (d.z != 1) return fmt::format("{}x{}x{}", d.x, d.y, d.z);
  return d.y != 1 ? fmt::format("{}x{}", d.x, d.y) : fmt::format("{}", d.x);
}

std::string grouped(uint64_t n) {
  std::string digits = fmt::format("{}", n), result;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) result += ',';
    result += digits[i];
  }
  return result;
}

std::vector<Launches> groups_of(const Profile& profile) {
  std::vector<Launches> groups;
  for (const LaunchCounts& l : profile.launches) {
    auto same = [&](const Launches& g) {
      auto equal = [](const device::Dim3& a, const device::Dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
      return g.sum.symbol == l.symbol && equal(g.sum.grid, l.grid) && equal(g.sum.block, l.block);
    };
    auto found = std::find_if(groups.begin(), groups.end(), same);
    if (found == groups.end()) {
      groups.push_back({l});
      found = std::prev(groups.end());
    } else {
      found->sum.totals += l.totals;
      ++found->launches;
    }
    for (float error : l.error) found->worst_error = std::max(found->worst_error, error);
  }
  return groups;
}

std::string line_to_text(const LineCounts& line) {
  std::string place = "(no line)";
  if (!line.frames.empty()) {
    const SourceFrame& f = line.frames[0];
    place = fmt::format("{}:{}", f.file.substr(f.file.rfind('/') + 1), f.line);
  }
  std::string text = fmt::format("    {:24} {:>16} instructions", place, grouped(line.counts[Counter::Instructions]));
  auto per = [&](Counter above, Counter below, const char* what) {
    if (line.counts[below] != 0) text += fmt::format("  {:.1f} {}", ratio(line.counts, above, below), what);
  };
  per(Counter::GlobalLoadSectors, Counter::GlobalLoadRequests, "sectors/load");
  per(Counter::GlobalStoreSectors, Counter::GlobalStoreRequests, "sectors/store");
  per(Counter::SharedLoadWavefronts, Counter::SharedLoads, "wavefronts/shared load");
  per(Counter::SharedStoreWavefronts, Counter::SharedStores, "wavefronts/shared store");
  if (line.counts[Counter::DivergentBranches] != 0)
    text += fmt::format("  {} divergent branches", grouped(line.counts[Counter::DivergentBranches]));
  text += '\n';
  for (size_t n = 1; n < line.frames.size(); ++n)
    text += fmt::format("      inlined at {}:{}\n", line.frames[n].file, line.frames[n].line);
  return text;
}

std::string group_to_text(const Launches& group, size_t most_lines) {
  const LaunchCounts& l = group.sum;
  std::string text = fmt::format("{}\n  grid {}, block {}", l.kernel, extent(l.grid), extent(l.block));
  if (group.launches > 1) text += fmt::format(", launched {} times", group.launches);
  if (l.counted_blocks < l.blocks)
    text += fmt::format("; {} of {} blocks counted, totals within {:.2g} %", grouped(l.counted_blocks),
                        grouped(l.blocks), 100 * double(group.worst_error));
  text += l.failed ? "; it failed\n" : "\n";
  for (const std::string& note : l.notes) text += fmt::format("  note: {}\n", note);
  for (unsigned c = 0; c < kCounters; ++c)
    if (l.totals.value[c] != 0)
      text += fmt::format("  {:62} {:>20} {}\n", info_of(Counter(c)).name, grouped(l.totals.value[c]),
                          info_of(Counter(c)).unit);
  if (!l.lines.empty()) text += "  lines that execute most:\n";
  for (size_t n = 0; n < std::min(most_lines, l.lines.size()); ++n) text += line_to_text(l.lines[n]);
  return text;
}

}  // namespace

std::string counters_to_text(const Profile& profile, size_t most_lines) {
  std::string text;
  for (const Launches& group : groups_of(profile)) text += group_to_text(group, most_lines) + "\n";
  if (profile.launches.empty()) text += "no kernel was launched\n";
  for (const std::string& what : profile.not_counted) text += fmt::format("not counted: {}\n", what);
  if (!profile.complete) text += "the program did not end normally: these are the counts until then\n";
  return text;
}

}  // namespace warpwise::perf
