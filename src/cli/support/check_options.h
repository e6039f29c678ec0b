// The options of `warpwise check`: what to check, what to report, where to write it.
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
  // Print lines for GitHub Actions: on request, or when running there.
  bool annotates() const;
  // Of a CLI::App that declared these and other options: those that were given and that concern a single program, as
  // words for another `warpwise check`. Options about reports are left out.
  static std::vector<std::string> words_for_one_program(const CLI::App& app);

  std::vector<std::string> only, with, suppress, suppression_files;
  std::string json, sarif, junit;  // files; "-" is standard output, "" none
  std::string new_only, save_baseline;
  std::string fail_on_name = "error", annotations = "auto";
  unsigned schedules = 1, jobs = 0;
  size_t max_findings = 10;
  bool each = false, as_built = false, quiet = false, verbose = false;
};

}  // namespace warpwise::cli
