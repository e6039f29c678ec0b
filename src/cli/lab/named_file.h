// The file that `submit`, `test` and `watch` are asked to judge.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/problem/catalogue.h"

namespace warpwise::cli {

// `map` means map.cu if that file exists here.
std::filesystem::path file_named(const std::string& word);

// The text of the file. If there is none, U0001 says what to do next: start the problem of that name, or use the file
// or problem with a similar name.
Result<std::string> read_named_file(const std::filesystem::path& file, const lab::Catalogue& catalogue);

// Catalogue::find() for a word of the command line. Problems go by their names; the error for a number of `warpwise lab
// list` says which problems have it.
Result<lab::Problem> find_named_problem(const lab::Catalogue& catalogue, const std::string& word,
                                        std::string_view source = "");

}  // namespace warpwise::cli
