// The options of `warpwise check`: what to watch, what to tell, where to write it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "check/report/report.h"
#include "check/report/suppressions.h"

namespace warpwise::cli {

struct CheckOptions {
  void declare(CLI::App& app);

  Result<CheckerSet> checkers() const;
  // Of the files and of the command line.
  Result<std::vector<check::report::Suppression>> suppressions() const;
  check::report::FailOn fail_on() const;

  std::vector<std::string> only, with, suppress, suppression_files;
  std::string json, sarif, junit;  // files; "-" is standard output, "" none
  std::string new_only, save_baseline;
  std::string fail_on_name = "error";
  unsigned schedules = 1;
  size_t max_findings = 10;
  bool as_built = false, quiet = false, verbose = false;
};

}  // namespace warpwise::cli
