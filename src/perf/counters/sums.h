// From cells to counters: the counts of the blocks that a host thread ran (simt/instrument/counts.h), and their
// meaning.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "perf/counters/kernel_facts.h"

namespace warpwise::perf {

// What the counted accesses cost, by the memory that they turned out to use.
enum class Reached : uint8_t { Global, Shared, Local };
constexpr unsigned kReached = 3;

template <class Number>
struct AccessSums {
  Number requests{}, cost{}, ideal{}, lanes{}, bytes{},
      extra{};  // bytes: different ones; extra: cache lines of global loads and stores, collisions of atomics,
                // divergences of brx, more instructions of shared atomics
  template <class Other>
  void add(const AccessSums<Other>& o, Number times = 1) {
    requests += Number(o.requests) * times, cost += Number(o.cost) * times, ideal += Number(o.ideal) * times;
    lanes += Number(o.lanes) * times, bytes += Number(o.bytes) * times, extra += Number(o.extra) * times;
  }
};

template <class Number>
struct CellSums {
  std::vector<Number> words;                                       // kCellWords for each cell
  std::vector<std::array<AccessSums<Number>, kReached>> accesses;  // by InstructionFacts::access_index

  CellSums() = default;
  explicit CellSums(const KernelFacts& facts)
      : words(facts.cells().size() * simt::kCellWords), accesses(facts.accesses()) {}
  template <class Other>
  void add(const CellSums<Other>& o, Number times = 1) {
    for (size_t w = 0; w < words.size(); ++w) words[w] += Number(o.words[w]) * times;
    for (size_t a = 0; a < accesses.size(); ++a)
      for (unsigned r = 0; r < kReached; ++r) accesses[a][r].add(o.accesses[a][r], times);
  }
  void clear() {
    std::fill(words.begin(), words.end(), Number{});
    std::fill(accesses.begin(), accesses.end(), std::array<AccessSums<Number>, kReached>{});
  }
};

// The counters of all instructions, or of each line (by KernelFacts::lines).
using ExactCounts = std::array<double, kCounters>;
ExactCounts totals_of(const KernelFacts& facts, const CellSums<uint64_t>& sums);
ExactCounts totals_of(const KernelFacts& facts, const CellSums<double>& sums);
std::vector<ExactCounts> lines_of(const KernelFacts& facts, const CellSums<double>& sums);
// By KernelFacts::phases, and behind them those of other functions.
std::vector<ExactCounts> by_phase(const KernelFacts& facts, const CellSums<double>& sums);
Counts rounded(const ExactCounts& counts);
// Turns of compare-and-swaps that threads would come to if `together` of them looked at the word at the same time.
double turns_of_swaps(const KernelFacts& facts, const CellSums<double>& sums, double together);

}  // namespace warpwise::perf
