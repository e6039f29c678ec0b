// What is said where the first word is no command: a source, a command of `lab`, an option that stands too early, a
// misspelling, or the line of a build system that takes us for a compiler.
#pragma once

#include "cli/command.h"

namespace warpwise::cli {

// Reports it, with what to type instead. The exit code.
int report_no_command(const Words& words);

}  // namespace warpwise::cli
