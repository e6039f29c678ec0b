// Reads that a kernel makes for a printf.
//
// A budget counts every access, those for debugging among them: `printf("%f", a[i])` reads a[i] once more. A learner
// who is told "2 reads, allowed 1" looks for the second one in the exercise, so the refusal names the line. Like
// signature.h this reads the text, so it only explains refusals and never causes one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace warpwise::lab {

// The line of the first printf that reads memory for what it prints: one of its arguments indexes or dereferences.
std::optional<size_t> line_of_printed_read(const std::string& source);

}  // namespace warpwise::lab
