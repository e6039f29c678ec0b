// The device half of a submission to PTX, by a compiler in the sandbox.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/sandbox/compiler.h"
#include "toolchain/build.h"

namespace warpwise::lab {

struct CompiledSubmission {
  bool compiled = false;
  std::string ptx;        // when it compiled
  std::string messages;   // of the compiler: warnings, or why not
  std::string forbidden;  // when it did not: the file that it names and that is not its own; "": none
  std::string next;       // what to do, where the verdict's own advice does not fit; "": it does
};

struct CompileOptions {
  toolchain::BuildPurpose purpose = toolchain::BuildPurpose::Check;  // for checkers, or optimised, to be timed
  unsigned architecture = 90;                                        // compute capability times ten
  toolchain::CompilerChoice compiler = toolchain::CompilerChoice::Clang;
  std::vector<std::string> headers;  // of the submission's own, which the compiler may read
  bool sandbox = true;               // false where the machine cannot build one
  double patience = 1;               // by the clock, so many times the usual limit: processes may wait for processors
  sandbox::SharedCompiler::Place* place = nullptr;  // of the submission's two builds; null: this one is alone
};

// The limits of compilers: nvcc is four programs and takes longer than Clang.
sandbox::Limits limits_of(const CompileOptions& options);

// Whether Clang runs more than once for the build: programs, and what checkers get (toolchain/undefined_variables.h).
bool loads_once(const CompileOptions& options);

// What a refused source is told. Of a header that only NVIDIA's toolkit has (T0007) one sentence says more than the
// compiler's words; a compiler that was ended has not found a mistake.
void explain_refusal(const Error& refusal, const sandbox::ConfinedCompiler& compiler, std::string& messages,
                     std::string& next);

// Errors: those of toolchain::build_ptx that the source has not caused; S0001.
// `words`: the source and flags; {source} where there are none.
Result<CompiledSubmission> compile_device_half(const std::filesystem::path& source, const CompileOptions& options,
                                               const std::vector<std::string>& words = {});

}  // namespace warpwise::lab
