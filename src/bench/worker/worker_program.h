// A version of a ladder's computation as a program that times itself: its file, the ladder's reference, and the main()
// of include/warpwise/bench_main.cu with two calls made from the ladder's parameters.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "bench/ladder/ladder.h"
#include "toolchain/build.h"

namespace warpwise::bench {

// What the compilers are given, and what they said.
struct WorkerSources {
  std::vector<std::string> words;  // flags and sources
  std::optional<toolchain::TemporaryFolder> temporary;
};
struct WorkerProgram {
  toolchain::Program program;
  std::string messages;
};

struct WorkerBuild {
  unsigned architecture = 90;  // compute capability times ten, of the device
  toolchain::CompilerChoice compiler = toolchain::CompilerChoice::Automatic;
};

// The text of the file with the calls: `solve` and `reference` with an argument from each word of 8 bytes.
std::string call_source(const Ladder& ladder);

Result<WorkerSources> worker_sources(const Ladder& ladder, const Version& version);

// B0004: it does not compile, with the compiler's messages. T0002, T0007, U0002: as toolchain::build_program.
Result<WorkerProgram> build_worker(const Ladder& ladder, const Version& version, const WorkerBuild& options);

}  // namespace warpwise::bench
