// Sorts the words of a command line into our options, the compiler's flags and sources, and the
// arguments of the program to run. `run`, `check` and `profile` have one rule:
//
//     --device=a100  -O3 -I include  main.cu util.cu  --timeout=5 -lcublas  1024 --verbose
//     our options    compiler flags  sources          both, still           the program's
//
// Directly after the sources our options are still ours (all but --help), and so are the compiler flags that users of
// nvcc write there. The first other word, or `--`, begins the program's arguments. From there on nothing is ours, and a
// note on standard error says so where a word is spelt like an option of ours, or nearly; after `--` there is no note.
// A program that was built already gets every word after its name.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace warpwise::cli {

struct SortedWords {
  std::vector<std::string> own;       // for CLI11
  std::vector<std::string> compiler;  // flags and sources, in order
  std::vector<std::string> sources;   // also in `compiler`
  std::vector<std::string> program;   // the arguments; without sources the program comes first
  // Of `program`: what is spelt like a long option of ours, and what differs from one in a letter, with that one.
  std::vector<std::string> mistaken;
  std::vector<std::pair<std::string, std::string>> misspelt;
};

// What may follow the sources: options, flags and more sources (ptx, nvcc), or in the end the program's arguments.
enum class BehindSources { Anything, Arguments };
// Prints the notes about `mistaken` and `misspelt`.
SortedWords sort_words(const CLI::App& app, const std::vector<std::string>& words, BehindSources behind);
// Whether CLI11 has the answer, even if nothing is named: help, or the refusal of an option that we do not know.
bool cli11_answers(const CLI::App& app, const SortedWords& words);
// T0008, "there is nothing to VERB: WANTED"; or, where an option has taken a source as its value, that.
Error nothing_to(std::string_view verb, std::string_view wanted, const SortedWords& words);

}  // namespace warpwise::cli
