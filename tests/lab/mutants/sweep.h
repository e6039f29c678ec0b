// The stronger judgement of mutants that were accepted: the problem with other cases, drawn from all shapes that its
// statement allows (sweeps.toml) instead of the dozen that problem.toml lists. What is refused there is a hole in the
// problem's cases; what is accepted in all of them counts as equal.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lab/problem/problem.h"

namespace warpwise::mutants {

struct Sweep {
  struct Draw {
    std::string name, least, greatest;  // expressions over the names before it
    std::vector<int64_t> values;        // when it is not empty: one of these
  };
  std::vector<Draw> draws;
  std::vector<std::pair<std::string, std::string>> sizes;  // that follow from what was drawn: a name, an expression
  std::array<std::string, 3> grid{"1", "1", "1"}, block{"1", "1", "1"};
  std::optional<std::vector<std::string>> data;
};

// By problem. L0001: not readable, with file and line.
Result<std::map<std::string, Sweep>> read_sweeps(const std::filesystem::path& file);

// The problem with `count` cases of the sweep in place of its own. Inputs, scalars and budgets are those of one of its
// cases; every second case runs its blocks and warps in another order. The same seed, the same cases. Errors: those of
// expressions.
Result<lab::Problem> swept(const lab::Problem& problem, const Sweep& sweep, uint64_t seed, unsigned count);

}  // namespace warpwise::mutants
