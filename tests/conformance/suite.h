// A suite: which programs there are, how each is built and run, and what it must do.
//
// The list is a text file, so that it can lie beside other people's programs or far from them:
//
//     [defaults]                    settings that every program below starts from
//     flags = -I ${suite}/Common
//     never = FAILED
//
//     [vectorAdd]                   one run; a name may stand twice, with other arguments
//     folder = 0_Introduction/vectorAdd
//     sources = vectorAdd.cu
//     args = 50000
//     says = Test PASSED            may be repeated: all must be in the output
//
// docs/conformance.md lists the settings; suite.cpp reads them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::conformance {

struct Program {
  std::string name;
  std::filesystem::path folder;      // where it is built and run
  std::vector<std::string> sources;  // relative to the folder; * and ? match file names
  std::vector<std::string> flags, args;
  std::filesystem::path program;  // an executable that is there already: nothing is built; "" builds one
  std::string build;   // a shell command that builds instead of `warpwise nvcc`, with $WARPWISE and $PROGRAM set
  std::string device;  // of `warpwise run --device=`; "" is its default
  std::string compiler;
  std::vector<std::string> says, never;  // extended regular expressions, each sought line by line
  std::filesystem::path like;            // a file of what it must print (likeness.h); "" compares nothing
  std::vector<std::string> varies;       // extended regular expressions: lines whose numbers may be any
  double tolerance = 0;                  // of the other numbers, as a part of them
  int exit_code = 0;
  double time_limit = 60;  // seconds that the run may take
  std::string skip;        // why it is not run; "" runs it
};

// The programs of a list. ${suite} in a value is `root`. Errors name the file and the line.
Result<std::vector<Program>> read_suite(const std::filesystem::path& list, const std::filesystem::path& root);

// A value as words, with the shell's quotes and backslashes.
std::vector<std::string> split_words(std::string_view text);

}  // namespace warpwise::conformance
