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
};

struct CompileOptions {
  toolchain::BuildPurpose purpose = toolchain::BuildPurpose::Check;  // for checkers, or optimised, to be timed
  unsigned architecture = 90;                                        // compute capability times ten
  toolchain::CompilerChoice compiler = toolchain::CompilerChoice::Clang;
  std::vector<std::string> headers;  // of the submission's own, which the compiler may read
  bool sandbox = true;               // false where the machine cannot build one
};

// The limits of compilers: nvcc is four programs and takes longer than Clang.
sandbox::Limits limits_of(toolchain::CompilerChoice compiler);

// Errors: those of toolchain::build_ptx that the source has not caused; S0001.
Result<CompiledSubmission> compile_device_half(const std::filesystem::path& source, const CompileOptions& options);

}  // namespace warpwise::lab
