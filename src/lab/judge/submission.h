// The files that are judged, read as what they are: untrusted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpwise::lab {

// The largest of some hundred published solutions has 40 KB.
constexpr size_t kMostSourceBytes = 1 << 20;
constexpr size_t kMostHeaders = 64;

// The text of a regular file. A link to one is followed: the caller decides whether links count. A text that is longer
// than allowed is cut after kMostSourceBytes + 1 bytes: the judge refuses it. U0001: not there, or no regular file (a
// pipe, a device, a folder).
Result<std::string> read_submission(const std::filesystem::path& file);

// A header of the submission's own folder that the source includes, directly or through another.
struct OwnHeader {
  std::filesystem::path path;
  std::string text;
};

struct SubmissionFiles {
  std::vector<OwnHeader> headers;
  std::string refused;             // the first file that is named and may not be: "open /dev/zero"; "": none
  bool refused_neighbour = false;  // it would be the submission's own, if the folder were
};

// The files that `source` names in `#include`, found without opening any but its own headers: regular files below its
// folder, called .h, .hpp, .hh, .cuh, .inc or .inl, that no link leads to, of at most kMostSourceBytes each. Conditions
// are not evaluated: an #include inside #if counts. The compiler reports names that lead nowhere. Without `own_headers`
// the folder belongs to others, too, and none of its files is the submission's.
SubmissionFiles files_of(const std::filesystem::path& source, const std::string& text, bool own_headers = true);

}  // namespace warpwise::lab
