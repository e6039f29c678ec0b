// Checks what the manual requires of a well-formed module beyond its grammar: operand kinds, types against register
// widths, state spaces, vector sizes, versions and targets. After verify() returns true the compiler and the
// interpreter rely on all of it without checking again.
#pragma once

#include "base/diagnostics.h"
#include "ptx/module.h"

namespace warpwise::ptx {

// True when no error was added. Diagnostics P0205 to P0299.
bool verify(const Module& module, Diagnostics& diagnostics);

}  // namespace warpwise::ptx
