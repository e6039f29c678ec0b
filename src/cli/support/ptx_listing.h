// PTX for reading: each stretch of instructions below the source line it comes from.
//
//     // vecadd.cu:8    if (i < n) c[i] = a[i] + b[i];
//         ld.global.f32   %f1, [%rd8];
//
// Left out is what only debuggers read: .loc and .file, debug sections, labels that nothing jumps to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace warpwise::cli {

struct ListingOptions {
  bool color = false;
  std::string function;  // only functions whose demangled name contains this; "" for all
  // The text of a source file; nothing when it cannot be read.
  std::function<std::optional<std::string>(const std::string& path)> read;
  // Whether a file is a header of the compiler or of Warpwise.
  std::function<bool(const std::string& path)> is_system = [](const std::string&) { return false; };
};

std::string ptx_listing(std::string_view ptx, const ListingOptions& options);

}  // namespace warpwise::cli
