// The command line of ptxas, as far as compilers use it. Options that steer the making of machine code are accepted and
// mean nothing here.
#pragma once

#include <span>
#include <string>

#include "base/result.h"

namespace warpwise::ptxas {

struct CommandLine {
  bool version = false;
  std::string input;
  std::string output = "elf.o";  // ptxas's own default
};

// Without the name of the program. Errors are ptxas's sentences: an unknown option, two inputs, none.
Result<CommandLine> read_command_line(std::span<const char* const> words);

}  // namespace warpwise::ptxas
