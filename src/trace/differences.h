// Two recordings of one block, of the same code in different orders or on different inputs: which steps differ.
//
//     warp 2   in order    … ld.shared  add  st.shared  bra …          paired step by step, while both run the same
//     sites
//              shuffled    … ld.shared  add  st.shared  mov  bra …     a step without a partner is on another path
//
// Steps are paired by their sites, in the order of the warp's program. Where the two part, the pairing goes on at the
// nearest place from which on both run the same sites again; a loop that runs once more costs its own steps and no
// others. A pair differs when its lanes, its addresses or its values do. Values are compared where both files have
// them.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace/trace_file.h"

namespace warpwise::trace {

enum class Difference : uint8_t { Path, Lanes, Addresses, Values };
constexpr unsigned kDifferences = 4;
std::string_view name_of(Difference difference);

// Steps of the first file behind each other that differ.
struct DifferingSteps {
  uint64_t first = 0, count = 0;
};

class Differences {
 public:
  // Of a warp at most so many ranges are kept; what lies behind them is counted.
  static constexpr size_t kMostRanges = 4096;
  // So many steps of a file are compared, all warps together: a million take some seconds.
  static constexpr uint64_t kMostCompared = 1'500'000;

  // V0009 when the two are not of the same kernel.
  static Result<Differences> between(TraceFile& one, TraceFile& other);

  // Of each warp the first recorded ones, so many of them.
  uint64_t of_each_warp() const { return of_each_warp_; }
  uint64_t compared() const { return compared_; }  // steps of the first file
  uint64_t differing() const { return differing_; }
  // How many steps differ in this way; one step may differ in several.
  uint64_t count(Difference difference) const { return counts_[size_t(difference)]; }
  const std::vector<std::vector<DifferingSteps>>& warps() const { return ranges_; }

  // The step of the other file that goes with this one; nothing where it has none.
  std::optional<uint64_t> partner(uint32_t warp, uint64_t step) const;

 private:
  // `count` steps of both, from these on.
  struct Pairs {
    uint64_t one = 0, other = 0, count = 0;
  };
  Result<void> compare_warp(TraceFile& one, TraceFile& other, uint32_t warp, std::span<const uint32_t> as_in_one);
  void note(uint32_t warp, uint64_t step, unsigned differences);

  uint64_t of_each_warp_ = 0, compared_ = 0, differing_ = 0;
  std::array<uint64_t, kDifferences> counts_{};
  std::vector<std::vector<Pairs>> pairs_;
  std::vector<std::vector<DifferingSteps>> ranges_;
};

// {"of_each_warp": …, "compared": …, "differing": …, "path": …, "lanes": …, "addresses": …, "values": …, "warps":
// [[[first, count], …], …]}
std::string to_json(const Differences& differences);

}  // namespace warpwise::trace
