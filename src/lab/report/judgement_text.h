// A judgement as text for a terminal, and as JSON for programs.
#pragma once

#include <string>

#include "lab/judge/judge.h"

namespace warpwise::lab {

struct TextStyle {
  bool color = false;
  bool verbose = false;  // every case with its budgets
  size_t width = 0;      // columns of the terminal, at which sentences are broken between words; 0: never
};

// The verdict and, for a refusal, the facts that belong to it.
std::string to_text(const Problem& problem, const Judgement& judgement, const TextStyle& style);
// The place among the problem's own solutions, which is the last line about an accepted one. "" when the ladder is not
// known.
std::string ladder_text(const Performance& performance, const TextStyle& style);
// What to_text() says, line by line, for a view that shows it in another form.
struct Fact {
  std::string label, text;  // "what", "read of 4 bytes, …"; a line without a label continues the one above it
  SourcePlace at{};         // of "at" alone
};
std::vector<Fact> facts_of(const Problem& problem, const Judgement& judgement);

// One object; docs/lab.md lists its members.
std::string to_json(const Judgement& judgement, const std::vector<Fact>& facts);

// What to look at next after a refusal: the step of the finding's code, or that of the verdict. "": accepted.
std::string next_step(const Judgement& judgement);

// A number as the problem's element type would be printed: "13.5", "nan".
std::string number_text(double value, ElementType type);
// "[3]", or "[row 1, column 2]" where the array's shape is known to be two-dimensional.
std::string thread_text(const WroteIt& who);

}  // namespace warpwise::lab
