// One pass of the compiler on LLVM IR that is given as text. Only the .cpp files of this folder include LLVM's headers.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace warpwise::simt::test {

// What the passes need besides the code: `;; key = value` at the head of a test (pass_texts_test.cpp lists the keys).
using PassSettings = std::map<std::string, std::string, std::less<>>;

struct PassOutcome {
  std::string before, after;  // the code, as LLVM prints it, without what no pass changes
  std::string refusal;        // why the pass refused; "" when it did not
};

// Whether this harness can run the pass by itself. Not so for passes that do not turn IR into IR (lower, emit), nor for
// LLVM's own (optimise).
bool can_run_alone(std::string_view pass);

// Runs the pass on the module `text`, whose first function with a body is the kernel, the program of a warp, a region
// or the program of a block, whichever the pass works on. Throws std::runtime_error: LLVM's parser or its verifier
// objects, or a setting is unknown.
PassOutcome run_pass(std::string_view pass, const std::string& text, const PassSettings& settings);

}  // namespace warpwise::simt::test
