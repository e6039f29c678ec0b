#include "perf/counters/phases.h"

#include <algorithm>

#include "perf/counters/operands.h"
#include "perf/counters/sums.h"

namespace warpwise::perf {

namespace {

// Of the instructions and of the sectors of a launch: what has less does not count.
constexpr double kLeast = 0.01;
// Of the warps: all but a few at the edge of a grid come to each loop, once.
constexpr double kFewest = 0.9, kMost = 1.1;

constexpr Counter kWork[] = {Counter::Instructions, Counter::GlobalLoadSectors, Counter::GlobalStoreSectors};

}  // namespace

std::vector<Phase> phases_of(const ptx::Function& function) {
  const auto& all = function.instructions;
  std::vector<Phase> loops;  // the outermost, in the order of the text
  for (uint32_t i = 0; i < all.size(); ++i) {
    const size_t target = target_of_branch(function, all[i]);
    if (target > i) continue;
    Phase loop{uint32_t(target), i + 1, {i}};
    while (!loops.empty() && loops.back().end > loop.first) {
      // A branch back into a loop, or to where one begins: they are one.
      Phase& inner = loops.back();
      if (inner.first == loop.first) loop.back.insert(loop.back.end(), inner.back.begin(), inner.back.end());
      if (inner.first < loop.first) loop.back = std::move(inner.back);
      loop.first = std::min(loop.first, inner.first);
      loops.pop_back();
    }
    loops.push_back(std::move(loop));
  }
  std::vector<Phase> phases;
  uint32_t at = 0;
  for (Phase& loop : loops) {
    if (loop.first > at) phases.push_back({at, loop.first, {}});
    at = loop.end;
    phases.push_back(std::move(loop));
  }
  if (at < all.size()) phases.push_back({at, uint32_t(all.size()), {}});
  return phases;
}

std::vector<Counts> counts_of_phases(const KernelFacts& facts, const CellSums<double>& sums, double warps) {
  const std::vector<Phase>& phases = facts.phases();
  if (phases.size() < 2) return {};
  const std::vector<ExactCounts> counts = by_phase(facts, sums);
  ExactCounts all{};
  for (const ExactCounts& of_phase : counts)
    for (unsigned c = 0; c < kCounters; ++c) all[c] += of_phase[c];
  const auto matters = [&](const ExactCounts& of_phase) {
    return std::any_of(std::begin(kWork), std::end(kWork),
                       [&](Counter c) { return of_phase[size_t(c)] > kLeast * all[size_t(c)]; });
  };
  const auto word = [&](uint32_t cell, simt::CellWord which) {
    return sums.words[size_t{cell} * simt::kCellWords + which];
  };
  if (matters(counts.back())) return {};  // of functions that are called
  std::vector<Counts> result;
  ExactCounts sum{};  // of those that do not count, for the next one that does
  for (size_t p = 0; p < phases.size(); ++p) {
    for (unsigned c = 0; c < kCounters; ++c) sum[c] += counts[p][c];
    if (!matters(counts[p])) continue;
    if (!phases[p].back.empty()) {
      double entries = word(phases[p].first, simt::kCellWarps);
      for (uint32_t branch : phases[p].back) {
        const InstructionFacts& i = facts.cells()[branch];
        entries -= i.guarded ? word(branch, simt::kCellOnWarps) : word(i.start, simt::kCellWarps);
      }
      if (entries < kFewest * warps || entries > kMost * warps) return {};
    }
    result.push_back(rounded(sum));
    sum = {};
  }
  return result.size() < 2 ? std::vector<Counts>() : result;
}

}  // namespace warpwise::perf
