// Proves problems: their solutions are accepted, their wrong kernels are refused for the reason they state, their
// tolerance refuses zeros and half precision, and the same seed makes the same inputs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/judge/verdict.h"
#include "lab/problem/problem.h"

namespace warpwise::lab {

struct VerifyOptions {
  unsigned seeds = 1;
  uint64_t first_seed = 1;
  unsigned jobs = 0;  // processes; 0: as many as there are processors
  std::string device = "h100";
  bool sandbox = true;             // judge behind the walls of submissions; false: --no-sandbox
  std::vector<std::string> slugs;  // of all problems there are, which `needs` may name; empty: not known
};

// A file of solutions/ or wrong/ and what became of it.
struct VerifiedFile {
  std::string file;   // "wrong/no-guard.cu"
  std::string about;  // its first line: the step's name, or the reason
  Verdict stated = Verdict::Accepted;
  std::vector<Verdict> got;  // by seed
  double slowest_seconds = 0;
  bool right() const;
};

struct VerifiedProblem {
  std::string slug, title;
  std::vector<VerifiedFile> solutions, wrong;
  std::vector<std::string> mistakes;  // all that is wrong with the problem, one line each
  bool ok() const { return mistakes.empty(); }
};

// `progress` is called as files are judged. Errors: L0009.
Result<std::vector<VerifiedProblem>> verify(const std::vector<Problem>& problems, const VerifyOptions& options,
                                            const std::function<void(size_t done, size_t of)>& progress);

std::string to_text(const std::vector<VerifiedProblem>& problems, bool color);
std::string to_json(const std::vector<VerifiedProblem>& problems);
// docs/problems.md: each problem's ladder and its wrong kernels.
std::string to_markdown(const std::vector<VerifiedProblem>& problems);

}  // namespace warpwise::lab
