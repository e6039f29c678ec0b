// Whether a file can be source text at all, before a compiler sees it. Compilers answer a folder, an empty file or a
// binary with pages that do not name the cause.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace warpwise::toolchain {

// U0001 when there is no such file; T0010 when it is a folder, a pipe or a device, empty, a binary, or text that is not
// in UTF-8.
Result<void> check_source(const std::string& path);

// The same for the text of a file, or its beginning, that has been read.
Result<void> check_text(const std::string& path, std::string_view text);

// The same for objects and libraries, whose content is the linker's to check.
Result<void> check_object(const std::string& path);

// What the linker's messages say about main(): none of the sources defines it, or several do.
enum class MainFunction { Unknown, Missing, Repeated };
MainFunction main_function_of(std::string_view linker_messages);

}  // namespace warpwise::toolchain
