// A case made concrete: sizes drawn, inputs generated, answers computed. This data never leaves the judge's own
// process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/problem/problem.h"
#include "lab/problem/reference.h"
#include "lab/trial/zeroed_array.h"

namespace warpwise::lab {

// An array of a trial, in the order of the parameters that are arrays.
struct TrialArray {
  const Parameter* parameter = nullptr;
  uint64_t count = 0;
  ZeroedArray<std::byte> before;        // what the submission finds there; poison for outputs
  ZeroedArray<double> expected, bound;  // outputs
  bool has_bound = false;
  size_t bytes() const { return before.size(); }
};

struct Trial {
  const Problem* problem = nullptr;
  const CaseSpec* spec = nullptr;
  uint64_t seed = 0;
  Numbers sizes;  // as drawn, without the derived ones
  CaseShape shape;
  std::map<std::string, double, std::less<>> scalars;
  std::vector<TrialArray> arrays;

  // "n = 4; grid 1, block 4"
  std::string describe() const;
};

// The seed of a case's inputs, from the run's.
uint64_t seed_of_case(uint64_t run_seed, const CaseSpec& spec);
// The sizes of a case as the seed draws them.
Numbers draw_sizes(const CaseSpec& spec, uint64_t seed);

// Errors: those of shape_of and of the reference; L0008 when the case needs too much memory.
Result<Trial> make_trial(const Problem& problem, const Reference& reference, const CaseSpec& spec, Numbers sizes,
                         uint64_t seed);

// The poison of an output of `type` before the submission runs: NaNs for floating point, each element with bits of its
// own.
void poison(std::span<std::byte> memory, ElementType type, uint64_t seed);

// The first element that is not right, in the order of the outputs.
struct WrongElement {
  size_t array = 0;  // index into Trial::arrays
  uint64_t index = 0;
  double got = 0;
  std::optional<double> expected;
  double allowed = 0;      // the largest allowed |got - expected|
  bool unwritten = false;  // it holds its poison
  uint64_t wrong = 0;      // elements of this array that are not right
  std::string why;         // a checker's words
};
// `got`: the arrays after the submission has run, in the order of `trial.arrays`. L0007: the checker failed.
Result<std::optional<WrongElement>> compare(const Trial& trial, const Reference& reference,
                                            const std::vector<std::span<const std::byte>>& got);

// Element `index` of an array of `type`.
double element(std::span<const std::byte> memory, ElementType type, uint64_t index);
// A double rounded to `type`, as a double.
double rounded_to(double value, ElementType type);

}  // namespace warpwise::lab
