// An option that takes a value has one. CLI11 takes whatever word is next: `check --json --device=h200 k.cu` would
// write a file of the name `--device=h200`, and look at the wrong GPU.
//
//     --json=report.json   --json report.json   --json -   -n -1        have one
//     --json --device=h200   --json               have none
//
// A value that begins with a hyphen and is no number is written behind `=`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/command.h"

namespace warpwise::cli {

// "`--json` needs a value: --json=FILE" for the first option that has none; "" where all have theirs. Options of
// sub-commands are looked up where these are named.
std::string option_without_value(const CLI::App& app, const Words& words);

}  // namespace warpwise::cli
