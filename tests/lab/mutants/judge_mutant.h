// What becomes of a mutant:
//
//     mutant ──judge, as a user's file──► refused
//                                     └─► accepted ──the same optimised code as the original──► equal by code
//                                                  └─judge again, in the shapes of the sweep──► equal, or a hole
//
// The order is another, because the large case is slow: the small cases, the sweep, the large case.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lab/judge/judge.h"
#include "lab/mutants/sweep.h"
#include "lab/problem/problem.h"
#include "toolchain/files.h"

namespace warpwise::mutants {

enum class Outcome : uint8_t {
  DoesNotCompile,  // no mutant: it says nothing about the problem
  EqualByCode,     // accepted, and its optimised PTX is the original's
  Refused,
  EqualInSweep,  // accepted, and accepted in all shapes of the sweep
  Hole,          // accepted, and refused in the sweep
  Failed,        // the judge failed
};
std::string_view name_of(Outcome outcome);
std::optional<Outcome> find_outcome(std::string_view name);

struct Judged {
  Outcome outcome = Outcome::Failed;
  std::string verdict;           // Refused: of the judge; Hole: of the sweep; "": none
  std::string case_name, shape;  // where
  std::string detail;            // a finding, a wrong element, the reason of a failure
  double seconds = 0;
};

struct JudgeSettings {
  uint64_t seed = 1;
  unsigned shapes = 24;  // of the sweep
  bool sandbox = true;
};

class MutantJudge {
 public:
  // A temporary folder for sources is made here. Errors: those of toolchain::TemporaryFolder.
  static Result<MutantJudge> create(const JudgeSettings& settings);

  // `file` is the original, which has the name that messages and debug information use. `in_kernel`: host code is the
  // original's, so that equal PTX means an equal program.
  Judged judge(const lab::Problem& problem, const Sweep& sweep, const std::filesystem::path& file,
               const std::string& source, bool in_kernel);

  // The sweep alone: EqualInSweep, Hole or Failed.
  Judged sweep(const lab::Problem& problem, const Sweep& sweep, const std::filesystem::path& source);

 private:
  MutantJudge(const JudgeSettings& settings, toolchain::TemporaryFolder folder)
      : settings_(settings), folder_(std::move(folder)) {}

  Judged decide(const lab::Problem& problem, const Sweep& sweep, const std::filesystem::path& file,
                const std::string& source, bool in_kernel);
  Result<std::filesystem::path> write(const std::filesystem::path& file, const std::string& source);
  Result<std::optional<std::string>> code_of(const lab::Problem& problem, const std::filesystem::path& source);
  Result<bool> same_code(const lab::Problem& problem, const std::filesystem::path& original,
                         const std::filesystem::path& mutant);
  lab::JudgeOptions options() const;

  JudgeSettings settings_;
  toolchain::TemporaryFolder folder_;
  std::map<std::string, std::optional<std::string>> originals_;  // their code, by file
};

// PTX without what follows from places in the source: lines, files, debug sections.
std::string without_places(std::string_view ptx);

}  // namespace warpwise::mutants
