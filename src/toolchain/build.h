// From sources to something that runs: picks the compiler, asks the cache, compiles what is missing.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "toolchain/cache.h"
#include "toolchain/flags.h"
#include "toolchain/installation.h"
#include "toolchain/process.h"

namespace warpwise::toolchain {

enum class CompilerChoice { Automatic, Clang, Nvcc };

// An optimising compiler removes, merges and moves accesses. The rest shows fewer races than the source has, and no
// trace of a store past the end of a local array. The build for checkers keeps all accesses, and has the lines of host
// code, too.
enum class BuildPurpose { Run, Check };

// A compiler or the linker refuses the program: T0003, or T0007 or T0013 where the cause is known.
bool is_refusal(const Error& error);

struct BuildRequest {
  CompilerFlags flags;
  CompilerChoice compiler = CompilerChoice::Automatic;
  BuildPurpose purpose = BuildPurpose::Run;
  // With BuildPurpose::Check and Clang, which alone can: overflow of signed integers is reported
  // (ptx/signed_overflow.h).
  bool mark_overflow = false;
  // A library for a process that runs, not a program: it needs no main(), and Clang alone makes it. Its file is
  // Program::executable.
  bool library = false;
  // What follows the text of the source, of which there is one: the compiler reads it as the file kEpilogueName.
  std::string epilogue;
  // Clang warns of variables of device code that are used before they have a value (-Wuninitialized): they live in
  // registers, where no checker sees them. What the compiler says is kept, and said again with a result from the cache.
  bool warn_uninitialised = false;
  unsigned device_architecture = 90;  // compute capability times ten
  bool color = false;                 // of compiler messages
  // What users should see as it happens: compiler messages as they are, the choice of nvcc, and commands
  // when the flags ask for them (-v). Each text ends in a newline.
  std::function<void(std::string_view)> say = [](std::string_view) {};
  // Compiling has taken half a second; afterwards on_done is called once, before anything is said.
  std::function<void(const std::string& what)> on_slow;
  // It will take a while: nvcc has worked for three seconds, or Clang for ten.
  std::function<void(const std::string& what)> on_very_slow;
  std::function<void()> on_done;
  // Files that cannot be sources, and a missing or second main(), are errors of their own (T0010 to T0012), in our
  // words instead of the compiler's. Unset, they are refused by the compiler (T0003), as all else is.
  bool explain_inputs = false;
  // Runs compilers and linkers instead of this process; they write only into `folder`. Unset: they are children of this
  // process.
  std::function<Result<JobResult>(const Job& job, const std::filesystem::path& folder)> runner;
  // Where the build makes its working folder, which must be on the file system of the cache; "": in the cache.
  std::filesystem::path works_below;
  // All that is made is there: the runner is called no more, but for what cannot be kept.
  std::function<void()> on_made;
};

// Where messages of the compiler say that an epilogue is.
constexpr const char* kEpilogueName = "warpwise-epilogue";

struct Program {
  std::filesystem::path executable;
  std::filesystem::path modules;  // for WARPWISE_MODULES; "" when the PTX is inside the executable
  // Where the program lives when it could not be cached; remove it as soon as the program has started.
  std::optional<TemporaryFolder> temporary;
  bool from_cache = false;
  bool by_nvcc = false;
};

// A program to run now, from the cache where possible. T0003 when a compiler refused (its messages have
// been said), T0002 when there is no compiler, T0007 when only nvcc could do it, T0008 when an input is no
// source.
Result<Program> build_program(const BuildRequest& request, const Cache& cache);

// The PTX of each CUDA source, in order.
struct PtxOfSource {
  std::string source;
  std::string ptx;
};
Result<std::vector<PtxOfSource>> build_ptx(const BuildRequest& request, const Cache& cache);

// `warpwise cache prepare`: does the first and last steps of compilations without further flags in advance
// (precompiled.h), for Clang. U0002 when it cannot be written where our libraries are.
Result<void> prepare_builds(const BuildRequest& request);
// Whether that has been done, and neither the compiler nor the system's headers have changed since.
Result<bool> builds_are_prepared(const BuildRequest& request);

// `warpwise nvcc`: an executable, objects (-c) or PTX (-ptx) where the flags say, complete in themselves.
// Empty on success.
Result<void> build_files(const BuildRequest& request);

}  // namespace warpwise::toolchain
