// What the text of the program says that its code does not.
#pragma once

#include "base/finding.h"

namespace warpwise::check {

// Whether the statement at `place` stands in the body of an `if` or a loop of the function that begins at `function`, and no
// `return` stands before it: then threads that do not reach it were kept from it by the condition. In machine code a guard around
// the rest of a kernel and an early return are the same thing. False where the text cannot be read.
bool is_conditional_without_return(const SourcePlace& function, const SourcePlace& place);

}  // namespace warpwise::check
