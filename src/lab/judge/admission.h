// What is refused before a compiler sees it: a file that is no source or too large, a file that it names and that is
// not its own, a forbidden name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/judge/judge.h"

namespace warpwise::lab {

struct Refused {
  Verdict verdict = Verdict::Forbidden;
  Refusal refusal;
};

struct Admission {
  std::vector<std::string> sources;  // the submission's files, absolute, the source first
  std::vector<std::string> headers;  // those of them that it includes
  std::optional<Refused> refused;
};

// `text`: of the source. `own_headers`: JudgeOptions::own_headers.
Admission admit(const Problem& problem, const std::filesystem::path& source, const std::string& text, bool own_headers);

// A file that the source names, or a compiler wanted, and that is not the submission's: "open /dev/zero".
Refused refusal_of_file(const std::string& what, bool own_headers);

}  // namespace warpwise::lab
