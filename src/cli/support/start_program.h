// Becoming the user's program: `warpwise run` does so itself, `warpwise check` in a child.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"
#include "cli/command.h"
#include "toolchain/build.h"

namespace warpwise::cli {

struct ProgramStart {
  std::string file;
  std::filesystem::path modules;  // for WARPWISE_MODULES; "" when the PTX is inside the program
  std::string options;            // for WARPWISE_OPTIONS; "": what it is already
  Words words;                    // of its command line; the first is its name
};

// A program in the current folder, not a command on PATH.
std::string as_file_here(std::string program);

// The start of a program that is there; the first of the words is its name. U0006 when it is missing; what
// prepare_static_runtime() refuses.
Result<ProgramStart> start_of_program(Words words);
// The start of one that was compiled. What it sees as its own name is the source's, as if it had been compiled there.
ProgramStart start_of_built(const toolchain::Program& built, const std::string& source, Words arguments);

// Sets the environment that the program finds (our libraries first, its PTX, options) and replaces this process.
// Returns only when that cannot be done: the errno. `opened` is called once the file is open: it may be removed then.
int become_program(ProgramStart start, const std::function<void()>& opened = {});

// Programs that name ranges or describe their memory by NVIDIA's NVTX headers look for a tool where the
// environment says; our runtime library is such a tool. Before become_program(), in a child.
void offer_tool_of_nvtx();

// U0006, with the reason, for a file that exists and cannot be a program: a folder, a text that is neither a source nor
// a script, a program without the right to execute it. A missing file is left to the start.
Result<void> check_program(const std::string& path);

// U0006 for such an errno, and the exit code that `run` has for it.
Error cannot_run(const std::string& file, int reason);
int code_of_failed_start(int reason);

}  // namespace warpwise::cli
