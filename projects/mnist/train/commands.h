// One function for each command of the program; they return its exit code. commands.inc lists them.
#pragma once

#include "options.h"

namespace mnist {

#define COMMAND(name, function, usage, help) int function(Options& options);
#include "commands.inc"
#undef COMMAND

}  // namespace mnist
