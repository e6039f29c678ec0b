// A judgement as text for a terminal, and as JSON for programs.
#pragma once

#include <string>

#include "lab/judge/judge.h"

namespace warpwise::lab {

struct TextStyle {
  bool color = false;
  bool verbose = false;  // every case with its budgets
};

// The verdict and, for a refusal, the facts that belong to it.
std::string to_text(const Problem& problem, const Judgement& judgement, const TextStyle& style);
// The place among the problem's own solutions, which is the last line about an accepted one. "" when the ladder is not
// known.
std::string ladder_text(const Performance& performance, const TextStyle& style);
// One object; docs/lab.md lists its members.
std::string to_json(const Judgement& judgement);

// What to look at next after a refusal: the step of the finding's code, or that of the verdict. "": accepted.
std::string next_step(const Judgement& judgement);

// A number as the problem's element type would be printed: "13.5", "nan".
std::string number_text(double value, ElementType type);
// "[3]", or "[row 1, column 2]" where the array's shape is known to be two-dimensional.
std::string thread_text(const WroteIt& who);

}  // namespace warpwise::lab
