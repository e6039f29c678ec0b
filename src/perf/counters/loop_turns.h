// How many turns loops of one block make, from what was counted.
#pragma once

#include <algorithm>
#include <cmath>

#include "perf/counters/kernel_facts.h"
#include "perf/counters/sums.h"

namespace warpwise::perf {

// How often warps come to a loop of one block; 0: not known. The blocks before and behind the loop are executed each
// time that it is entered, and by warps that pass it by.
template <class Number>
double entries_of(const Loop& loop, const CellSums<Number>& sums, uint32_t start) {
  auto times = [&](uint32_t cell) { return double(sums.words[size_t{cell} * simt::kCellWords + simt::kCellWarps]); };
  if (!loop.before && !loop.after) return 0;
  double entries = times(start);
  if (loop.before) entries = std::min(entries, times(*loop.before));
  if (loop.after) entries = std::min(entries, times(*loop.after));
  return entries;
}

// Of the turns of a block, the share that are unrolled: a loop of seven turns is one of four turns and three as they
// stand. All entries are taken to make equally many turns.
template <class Number>
double share_unrolled(const KernelFacts& facts, const CellSums<Number>& sums, uint32_t start) {
  const auto found = facts.loops().find(start);
  if (found == facts.loops().end() || found->second.turns == 1) return 1;
  const Loop& loop = found->second;
  const double entries = entries_of(loop, sums, start);
  if (entries == 0) return 1;
  const double turns = double(sums.words[size_t{start} * simt::kCellWords + simt::kCellWarps]) / entries;
  return std::floor(turns / loop.turns) * loop.turns / turns;
}

}  // namespace warpwise::perf
