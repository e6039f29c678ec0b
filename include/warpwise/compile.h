// CUDA C++ to PTX by the compiler of this machine: Clang 19 without any NVIDIA software, or nvcc.
//
// Any thread may call these. They start the compiler as a process and wait for it (a quarter of a second and up).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpwise/result.h"

namespace warpwise {

enum class Compiler : unsigned char {
  Automatic,  // Clang, or nvcc when the source includes a header that only NVIDIA's toolkit has
  Clang,
  Nvcc,
};

struct CompileOptions {
  Compiler compiler = Compiler::Automatic;
  unsigned architecture = 90;        // the compute capability times ten; Device::compile fills in its own
  std::vector<std::string> flags{};  // in nvcc's language: "-DTILE=16", "-I", "include", "-use_fast_math"
  std::string name = "kernel.cu";    // of a source that is a text, in messages; a file name without folders
  // Files that a source that is a text may include, by name and text; "part/x.h" is in a folder.
  std::vector<std::pair<std::string, std::string>> headers{};
  std::function<void(std::string_view)> on_message{};  // warnings, as the compiler wrote them; empty: dropped
};

// The PTX of a source that is a text, or a file. A file's PTX is kept in the cache on disk and found again while
// the file and all that it includes are unchanged; a text is compiled each time. `#include "x.h"` in a text
// looks in the folders of -I.
//
// Errors: T0003 with the compiler's messages when it refused the source; T0002 when there is no compiler; T0004
// when a part of Warpwise is missing; T0005 and T0006 for flags; T0009 after SIGINT, SIGTERM or SIGHUP, which takes
// its course when the call has tidied up; U0001, U0002 for files.
Result<std::string> compile_cuda(std::string_view source, const CompileOptions& options = {});
Result<std::string> compile_cuda_file(const std::string& path, const CompileOptions& options = {});

}  // namespace warpwise
