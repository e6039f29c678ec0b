// The host's C++ compiler, for the code of problems: references, and the programs around `solve`. Its results are kept
// in the cache.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "toolchain/files.h"

namespace warpwise::lab {

// A file that was made, and the folder it lives in when it could not be kept.
struct MadeFile {
  std::filesystem::path file;
  std::optional<toolchain::TemporaryFolder> temporary;
};

// Compiles `text` with `flags` to a file called `product`. `name`: of the text, in messages and for #include "…" beside
// it. Errors: T0002 no compiler; L0006 with its words.
Result<MadeFile> compile_for_host(const std::filesystem::path& name, const std::string& text,
                                  const std::vector<std::string>& flags, const char* product);

}  // namespace warpwise::lab
