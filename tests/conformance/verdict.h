// Judges what a program did: a verdict and its reason.
#pragma once

#include <string>
#include <string_view>

#include "child.h"
#include "suite.h"

namespace warpwise::conformance {

enum class Verdict {
#define VERDICT(name, word, meaning) name,
#include "verdicts.inc"
#undef VERDICT
};

std::string_view word_of(Verdict verdict);

struct Outcome {
  Verdict verdict = Verdict::Pass;
  std::string reason;  // one line; "" for Pass
};

// The build failed, or did not end.
Outcome judge_build(const ChildResult& build);
// The program ran.
Outcome judge_run(const Program& program, const ChildResult& run);

}  // namespace warpwise::conformance
