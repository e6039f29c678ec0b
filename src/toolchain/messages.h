// Compiler messages without repetitions: both halves of a CUDA compilation report most mistakes alike.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::toolchain {

class MessageFilter {
 public:
  // The messages in `output` that were not given before, as they are. A message begins at a line of the
  // form `file:line:column: error|warning|fatal error|note: ` (or without a place) and goes on to the
  // next error or warning: its source excerpt and its notes belong to it. Where Clang speaks of what our headers and
  // its own are made of, it is told about the source instead.
  std::string unseen(std::string_view output);

 private:
  std::set<std::string> seen_;
  bool threads_in_host_code_ = false;
};

// Without SGR sequences.
std::string without_colours(std::string_view text);

// The names of `'x.h' file not found` (Clang) and `x.h: No such file or directory` (nvcc).
std::vector<std::string> missing_headers(std::string_view messages);

// The names of `undefined reference to `f'` (GNU ld) and `undefined symbol: f` (lld); of C++ functions with parameters.
std::vector<std::string> undefined_functions(std::string_view messages);

// The first of them in a sentence that says what to add: a source that was not named, or a library.
std::optional<std::string> function_to_add(std::string_view messages);

// Whether a compiler refuses a kernel's launch in device code, which needs nvcc's -rdc=true.
bool refuses_launch_in_kernel(std::string_view messages);

// Clang's warnings of variables that are used before they have a value.
struct CompilerWarning {
  std::string file, text;  // "variable 'sum' is uninitialized when used here"
  unsigned line = 0;
};
std::vector<CompilerWarning> uninitialised_variables(std::string_view messages);

// Errors that have a place, as Clang and g++ (`k.cu:3:5: error: …`) and nvcc (`k.cu(3): error: …`) name it.
struct CompilerError {
  std::string file, text;
  unsigned line = 0, column = 0;  // column 0: not said
};
std::vector<CompilerError> compiler_errors(std::string_view messages);

}  // namespace warpwise::toolchain
