// What the text of the program says that its code does not.
#pragma once

#include <vector>

#include "base/finding.h"

namespace warpwise::check {

// `places`: a statement, the call of the function that it stands in, and so on out to the kernel. Whether one of them
// stands in the body of an `if` or a loop, and no `return` can have come before: then threads that do not reach the
// statement were kept from it by the condition. In machine code a guard around the rest of a kernel and an early return
// are the same thing. False where the text cannot be read.
bool is_conditional_without_return(const std::vector<SourcePlace>& places);

// The same places, and one where threads come that have left a loop around one of them. Whether it stands in a branch
// of that loop that ends in `return`:
//
//     for (;;) {
//       __syncthreads();
//       if (done) { x[i] = y; return; }
//     }
//
// In machine code that is a `break`, and something behind the loop.
bool leaves_loop_to_return(const std::vector<SourcePlace>& places, const SourcePlace& end);

}  // namespace warpwise::check
