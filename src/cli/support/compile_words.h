// Sorts the words of a command line into our options, the compiler's flags and sources, and the
// arguments of the program to run.
//
//     --device=a100  -O3 -I include  main.cu util.cu  1024 --verbose
//     our options    compiler flags  sources          the program's
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace warpwise::cli {

struct SortedWords {
  std::vector<std::string> own;       // for CLI11
  std::vector<std::string> compiler;  // flags, then sources
  std::vector<std::string> sources;   // also in `compiler`
  std::vector<std::string> program;   // the first word that is neither, and all after it
};

// What comes behind the sources:
//   Anything             options, flags and more sources (ptx, nvcc)
//   Arguments            those of the program (run, check)
//   OptionsAndArguments  options of ours with long names, as in `profile a.cu --vs=b.cu`, and from the first other word
//   on the program's
//                        arguments. A program that has an option of such a name gets it behind `--`
enum class BehindSources { Anything, Arguments, OptionsAndArguments };
SortedWords sort_words(const CLI::App& app, const std::vector<std::string>& words, BehindSources behind);

}  // namespace warpwise::cli
