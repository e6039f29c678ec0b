// How --help of a command looks: CLI11's layout, with a usage line of ours where options alone do not say
// what goes where.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace warpwise::cli {

// Replaces the line that CLI11 makes of the options.
void set_usage(CLI::App& app, std::string usage);

// The layout that every command starts with.
void set_layout(CLI::App& app);

}  // namespace warpwise::cli
