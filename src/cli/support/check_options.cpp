#include "cli/support/check_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/suggest.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

// The checkers that run without --only and --with.
constexpr Checker kUsual[] = {Checker::Memory, Checker::Init,   Checker::Race,
                              Checker::Sync,   Checker::Assert, Checker::Api};

Result<void> add_named(const std::vector<std::string>& lists, CheckerSet& set) {
  for (const std::string& list : lists)
    for (size_t at = 0; at <= list.size();) {
      size_t comma = std::min(list.find(',', at), list.size());
      std::string name = list.substr(at, comma - at);
      at = comma + 1;
      if (auto checker = find_checker(name)) {
        set.add(*checker);
        continue;
      }
      std::vector<std::string_view> known;
      for (unsigned i = 0; i < kCheckers; ++i) known.push_back(warpwise::name_of(Checker(i)));
      const std::string meant = did_you_mean(name, known);
      return Error{"U0005", fmt::format("there is no checker `{}`{}", name,
                                        meant.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : meant)};
    }
  return {};
}

}  // namespace

void CheckOptions::declare(CLI::App& app) {
  app.add_option(
         "--only", only,
         "the checkers to run: memory, init, race, sync, assert, api, numbers, outputs (default: all but the last two)")
      ->type_name("LIST");
  app.add_option("--with", with, "further checkers: numbers, outputs")->type_name("LIST");
  app.add_flag("--each", each,
               "check many programs: each source, and each .cu file below a folder, is a program of its own");
  app.add_option("--jobs", jobs, "with --each: how many programs to check at once (default: the processors)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  app.add_option("--schedules", schedules, "run this many times, with blocks in another order each time")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  app.add_flag("--as-built", as_built, "check the optimised program instead of a build that keeps every access");
  app.add_option("--suppress", suppress, "leave out findings: CODE[:FILE[:LINE]], by code or name")
      ->type_name("PATTERN");
  app.add_option("--suppressions", suppression_files, "a file of patterns, each with its reason")->type_name("FILE");
  app.add_option("--new-only", new_only, "leave out the findings of this baseline")->type_name("FILE");
  app.add_option("--save-baseline", save_baseline, "write the findings as a baseline")->type_name("FILE");
  app.add_option("--fail-on", fail_on_name, "which findings make the exit code 1: error, warning or none")
      ->check(CLI::IsMember({"error", "warning", "none"}))
      ->type_name("WHAT");
  app.add_option("--max-findings", max_findings, "how many to show in full")->type_name("N");
  app.add_flag("--json{-}", json,
               "the report as JSON, to FILE or to standard output (the program's goes to standard error then)")
      ->type_name("[=FILE]");
  app.add_option("--sarif", sarif, "the report as SARIF 2.1.0")->type_name("FILE");
  app.add_option("--junit", junit, "the report as JUnit XML")->type_name("FILE");
  app.add_option("--annotations", annotations,
                 "lines for GitHub Actions (::error file=…) on standard error: auto (where GITHUB_ACTIONS is true), "
                 "always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  app.add_flag("-q,--quiet", quiet, "no report as text");
  app.add_flag("-v,--verbose", verbose, "show the compilers' command lines");
}

Result<CheckerSet> CheckOptions::checkers() const {
  CheckerSet set;
  if (only.empty())
    for (Checker checker : kUsual) set.add(checker);
  TRY(add_named(only, set));
  TRY(add_named(with, set));
  return set;
}

Result<std::vector<check::report::Suppression>> CheckOptions::suppressions() const {
  std::vector<check::report::Suppression> out;
  for (const std::string& file : suppression_files) {
    auto some = TRY(check::report::parse_suppressions(TRY(toolchain::read_stream(file)), file));
    out.insert(out.end(), some.begin(), some.end());
  }
  for (const std::string& pattern : suppress)
    out.push_back(TRY(check::report::parse_suppression(pattern, "--suppress")));
  return out;
}

check::report::FailOn CheckOptions::fail_on() const {
  using check::report::FailOn;
  return fail_on_name == "warning" ? FailOn::Warning : fail_on_name == "none" ? FailOn::Never : FailOn::Error;
}

bool CheckOptions::annotates() const {
  const char* there = std::getenv("GITHUB_ACTIONS");
  return annotations == "always" || (annotations == "auto" && there && std::string_view(there) == "true");
}

std::vector<std::string> CheckOptions::words_for_one_program(const CLI::App& app) {
  constexpr std::string_view kOfReports[] = {"each",         "jobs",          "suppress", "suppressions", "new-only",
                                             "fail-on",      "save-baseline", "json",     "sarif",        "junit",
                                             "max-findings", "annotations",   "quiet",    "help"};
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string& name = option->get_lnames().front();
    if (std::find(std::begin(kOfReports), std::end(kOfReports), name) != std::end(kOfReports)) continue;
    for (const std::string& value : option->results()) words.push_back(fmt::format("--{}={}", name, value));
  }
  return words;
}

}  // namespace warpwise::cli
