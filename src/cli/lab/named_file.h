// The file that `submit`, `test`, `trace` and `watch` are asked to judge, and its problem: `[PROBLEM] FILE`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/problem/catalogue.h"

namespace warpwise::cli {

// The file of the last of the words. `map` means map.cu if that file exists here, and so does a problem (`puzzles/map`,
// `21`) whose file `warpwise lab start` has written here.
std::filesystem::path submitted_file(const std::vector<std::string>& words, const lab::Catalogue& catalogue);

struct NamedSubmission {
  std::filesystem::path file;
  std::string source;
  lab::Problem problem;
};

// U0001: there is no such file, with what to do next: start the problem of that name, or use the file or problem with a
// similar name. T0010: it is not text. L0005: its problem is not known. `command`: "submit".
Result<NamedSubmission> named_submission(const std::vector<std::string>& words, const lab::Catalogue& catalogue,
                                         std::string_view command);

}  // namespace warpwise::cli
