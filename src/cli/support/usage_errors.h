// Errors of the command line in our form, with what may have been meant: a misspelt option, a value that an option does
// not take, a word that is missing.
//
//     --compiler: clnag not in {auto,clang,nvcc}                  as CLI11 says it
//     error[U0005]: `clnag` is no value of --compiler; did you mean `clang`?
//           = help: --compiler takes auto, clang or nvcc          as we do
#pragma once

#include <CLI/CLI.hpp>
#include <string_view>

#include "cli/command.h"

namespace warpwise::cli {

// Reports what CLI11 has refused. `command`: its name; `words`: what was parsed.
void report_usage(std::string_view command, const CLI::App& app, const CLI::ParseError& error, const Words& words);

// "`warpwise run --help` lists the options".
std::string lists_options(std::string_view command);

}  // namespace warpwise::cli
