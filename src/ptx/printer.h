// Prints a Module as PTX text that parses back to the same Module. Dumps, reductions, the random-program generator and
// the round-trip tests use it.
//
// The text is canonical, not the source's: registers one by one, variables and prototypes at the head of a body,
// modifiers in the row's order, numbers in one notation. Names that inner scopes reuse get a number at their end.
#pragma once

#include <string>

#include "ptx/module.h"

namespace warpwise::ptx {

std::string print(const Module& module);
// One instruction as print() writes it, without line end: "@%p1 add.s32 %r1, %r2, 3;"
std::string print(const Module& module, const Function& function, const Instruction& instruction);

}  // namespace warpwise::ptx
