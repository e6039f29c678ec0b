// What the text of the program says and its machine code does not: whether a barrier stands in the body of a condition,
// and what a variable is called.
//
//     if (i < n) { ...; __syncthreads(); }            some threads of the block never reach the barrier: C0401
//     if (i >= n) return;  ...; __syncthreads();      threads that have returned are not waited for: in order
//
// The compiler makes the same branches of both. The synchronisation checker therefore reads the source files, found by
// the places that the debug information gives: words and brackets alone, without types or macros of other files.
#pragma once

#include <string>
#include <vector>

#include "base/finding.h"

namespace warpwise::check {

// `places`: a statement, the call of the function that it stands in, and so on out to the kernel (CodePlace::frames).
// True if one of them stands in the body of an `if` or a loop, and no `return` can have come before: then the condition
// has kept the other threads from the statement. False where the text cannot be read.
bool is_conditional_without_return(const std::vector<SourcePlace>& places);

// The same places, and one where threads come that have left a loop around one of them. True if `end` stands in a
// branch of that loop which ends in `return`:
//
//     for (;;) {
//       __syncthreads();                      places
//       if (done) { x[i] = y; return; }       end
//     }
//
// In machine code that is a `break`, and something behind the loop. False where the text cannot be read.
bool leaves_loop_to_return(const std::vector<SourcePlace>& places, const SourcePlace& end);

// The name that stands at a place; "" where none does, or the text cannot be read.
std::string name_at(const SourcePlace& place);

}  // namespace warpwise::check
