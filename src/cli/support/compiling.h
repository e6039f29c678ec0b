// What all commands that compile have in common: --compiler, progress, and compiler messages on stderr.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/support/terminal.h"
#include "toolchain/build.h"

namespace warpwise::cli {

class Compiling {
 public:
  void declare(CLI::App& app);
  // A request for these flags and sources. The object must outlive it.
  Result<toolchain::BuildRequest> request(const std::vector<std::string>& compiler_words, unsigned architecture);

 private:
  std::string compiler_ = "auto";
  Progress progress_;
};

}  // namespace warpwise::cli
