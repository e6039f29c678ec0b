// Copies of values that may be uninitialised.
//
// ISO C++ forbids to read a variable that was never set ([basic.indet]). Copies of whole objects may take along what
// was never set: padding, the rest of an array. In PTX such a copy is several loads at one place of the source, or
// vectors.
//
//     b = a;            // int: one load              true
//     t = s;            // struct of three: loads     false
#pragma once

#include <cstdint>

#include "ptx/module.h"

namespace warpwise::check {

// Whether a load, or a store, is the only one at its place of the source, and of one element: then the value that is
// copied is a variable's own. False where the place is not known. Takes the time of a walk through the function.
bool copies_one_value(const ptx::Module& module, int64_t function, int64_t instruction);

}  // namespace warpwise::check
