// The two programs of a submission: the one that runs under checkers, and the one that is timed.
//
// The compilers are processes, and LLVM is a library that takes a while to load, so all of this happens side by side.
// The program for checkers takes longest, because the one that is timed shares its host half; all else fills what it
// leaves of the processors. Clang is loaded once for both (lab/sandbox/shared_compiler.h).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/properties.h"
#include "lab/judge/compile_submission.h"
#include "lab/judge/judge.h"
#include "lab/trial/solve_program.h"

namespace warpwise::lab {

// The submission, and how it is judged.
struct JudgedFile {
  const Problem& problem;
  std::filesystem::path source;
  JudgeOptions options;
  std::vector<std::string> headers;  // of the submission's own
  double patience = 1;               // by the clock, limits are so many times longer
  const device::Properties* gpu = nullptr;
};

// What a submission becomes, by its problem's kind.
struct Compiled {
  bool compiled = false;
  std::string messages;
  std::string forbidden;
  std::string next;      // what to do, where the verdict's own advice does not fit
  std::string ptx;       // kernel
  SolveProgram program;  // solve
};

class Programs {
 public:
  explicit Programs(const JudgedFile& file) : file_(file) {}

  // Makes those that are wanted; `beside` runs meanwhile in a thread of its own. All threads have ended when it
  // returns.
  Result<void> compile(bool checked, bool timed, const std::function<Result<void>()>& beside);
  // The timed one behind the checked one, where it was not wanted before.
  Result<void> compile_timed();

  const Compiled& checked() const { return checked_; }
  const Compiled& timed() const { return timed_; }

 private:
  unsigned architecture() const { return file_.gpu->major * 10 + file_.gpu->minor; }
  using Place = sandbox::SharedCompiler::Place;
  CompileOptions options_for(toolchain::BuildPurpose purpose, Place* place) const;
  Result<void> compile_one(toolchain::BuildPurpose purpose, Compiled& out, Place* place = nullptr) const;
  bool shares_host_half() const;
  void share_compiler();
  Result<void> compile_for_time(Place* place = nullptr);
  Result<void> take_host_half();

  const JudgedFile& file_;
  std::optional<sandbox::SharedCompiler> shared_;  // holds the folders of programs that the cache cannot keep
  Compiled checked_, timed_;
};

}  // namespace warpwise::lab
