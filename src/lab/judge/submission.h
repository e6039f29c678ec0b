// The file that is judged, read as what it is: a stranger's.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace warpwise::lab {

// The largest of some hundred solutions of people has 40 KB.
constexpr size_t kMostSourceBytes = 1 << 20;

// The text of a regular file; a link to one is its owner's affair. One that is longer than may be is cut behind
// kMostSourceBytes + 1 bytes: the judge refuses it. U0001: not there, or no file (a pipe, a device, a folder).
Result<std::string> read_submission(const std::filesystem::path& file);

}  // namespace warpwise::lab
