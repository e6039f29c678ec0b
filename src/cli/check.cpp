// warpwise check: builds a program so that nothing of it is hidden, runs it as a child with the checkers on, and
// reports what they found.
//
//     sources ──build──► program ──child, once per schedule──► records ──merge, resolve, suppress──► report
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "check/records.h"
#include "check/report/baseline.h"
#include "check/report/consequences.h"
#include "check/report/fingerprint.h"
#include "check/report/json.h"
#include "check/report/junit.h"
#include "check/report/sarif.h"
#include "check/report/text.h"
#include "cli/command.h"
#include "cli/support/check_options.h"
#include "cli/support/child.h"
#include "cli/support/compile_words.h"
#include "cli/support/compiling.h"
#include "cli/support/device_option.h"
#include "cli/support/engine_options.h"
#include "cli/support/help_format.h"
#include "cli/support/host_lines.h"
#include "cli/support/start_program.h"
#include "cli/support/static_runtime.h"
#include "toolchain/files.h"
#include "toolchain/installation.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;
namespace report = check::report;

// Exit codes of `check`, as docs/exit_codes.md lists them.
enum CheckCode : int { kClean = 0, kFindings = 1, kProgramFailed = 2, kCheckFailed = 3 };

class Check : public Command {
 public:
  void declare(CLI::App& app) override;
  Result<Words> own_words(const CLI::App& app, Words words) override;
  Result<int> run() override;
  int failure_code() const override { return kCheckFailed; }
  int usage_code() const override { return kCheckFailed; }

 private:
  Result<std::string> prepare();
  Result<void> run_once(unsigned index);
  Result<void> read_findings();
  Result<void> write_reports();
  Result<void> write_report(const std::string& file, const std::string& text) const;

  SortedWords words_;
  Compiling compiling_;
  EngineOptions engine_;
  CheckOptions options_;

  std::optional<toolchain::TemporaryFolder> folder_;  // of the records
  std::optional<toolchain::Program> built_;
  ProgramStart start_;
  report::Report report_;
};

void Check::declare(CLI::App& app) {
  set_usage(app,
            "warpwise check [options] [compiler flags] SOURCE… [--] [arguments]\n"
            "       warpwise check [options] PROGRAM [arguments]");
  options_.declare(app);
  engine_.declare(app);
  compiling_.declare(app);
  app.footer(
      "\nThe program runs as it would alone; the report goes to standard error.\n"
      "\nExamples:\n"
      "  warpwise check scan.cu\n"
      "  warpwise check --only=race --schedules=5 scan.cu 4096\n"
      "  warpwise check --sarif=findings.sarif --junit=check.xml ./tests\n"
      "  warpwise check --save-baseline=known.json ./tests\n"
      "  warpwise check --new-only=known.json --suppressions=suppressions.txt ./tests\n"
      "  warpwise explain C0201\n"
      "\nExit code: 0 clean, 1 findings (--fail-on), 2 the program itself failed, 3 it could not be checked.");
}

Result<Words> Check::own_words(const CLI::App& app, Words words) {
  words_ = sort_words(app, words, BehindSources::Arguments);
  bool asks =
      std::any_of(words_.own.begin(), words_.own.end(), [](const auto& w) { return w == "-h" || w == "--help"; });
  bool unknown = std::any_of(words_.own.begin(), words_.own.end(), [&](const std::string& w) {
    return w[0] == '-' && !app.get_option_no_throw(w.substr(0, w.find('=')));
  });
  if (words_.sources.empty() && words_.program.empty() && !asks && !unknown)
    return Error{"T0008", "there is nothing to check: name a source or a program"};
  return words_.own;
}

// Makes the program; answers which build it is.
Result<std::string> Check::prepare() {
  const device::Properties* device = TRY(engine_.device());
  if (words_.sources.empty()) {
    start_.file = as_file_here(words_.program[0]);
    start_.words = words_.program;
    report_.program = words_.program[0];
    if (access(start_.file.c_str(), F_OK) != 0) return cannot_run(start_.file, errno);
    TRY(prepare_static_runtime(start_.file, toolchain::Installation::find().libraries));
    return std::string("the program as it was built");
  }
  report_.program = words_.sources[0];
  if (options_.verbose) words_.compiler.insert(words_.compiler.begin(), "-v");
  toolchain::BuildRequest request = TRY(compiling_.request(words_.compiler, architecture_of(*device)));
  request.mark_overflow = report_.checkers.has(Checker::Numbers);
  request.purpose = options_.as_built ? toolchain::BuildPurpose::Run : toolchain::BuildPurpose::Check;
  built_ = TRY(toolchain::build_program(request, toolchain::Cache::from_environment()));
  start_.file = built_->executable;
  start_.modules = built_->modules;
  start_.words = words_.program;
  start_.words.insert(start_.words.begin(), fs::path(words_.sources[0]).replace_extension());
  return fmt::format("{} ({})", options_.as_built ? "optimised, as built" : "unoptimised, for checking",
                     built_->by_nvcc ? "nvcc" : "Clang");
}

// The first run has the order that was asked for, the others orders of their own.
Result<void> Check::run_once(unsigned index) {
  nlohmann::json options = TRY(engine_.json());
  options["check"] = nlohmann::json::array();
  for (unsigned i = 0; i < kCheckers; ++i)
    if (report_.checkers.has(Checker(i))) options["check"].push_back(warpwise::name_of(Checker(i)));
  options["findings"] = (folder_->path() / "findings").string();
  if (index > 0) options["schedule"] = fmt::format("shuffle:{}", index);
  start_.options = options.dump();

  // What the program prints goes where it always goes, but for a JSON report on standard output, and once.
  bool divert = options_.json == "-";
  ChildEnd end = TRY(run_child([&]() -> int {
    if (divert) dup2(STDERR_FILENO, STDOUT_FILENO);
    if (index > 0 && !std::freopen("/dev/null", "w", stdout)) return errno;
    offer_tool_of_nvtx();
    return become_program(start_);
  }));
  if (end.start_failure) return cannot_run(start_.file, end.start_failure);
  if (report_.end.ok()) report_.end = {end.exit_code, end.signal};
  return {};
}

// Findings that only the parent can judge: a call whose error nobody may look at, as its code says; and what a program
// that failed by itself has left undone.
bool stands(const Finding& finding, const report::ProgramEnd& end) {
  if (finding.code == "C0305" || finding.code == "C0501" || finding.code == "C0511") return end.ok();
  if (finding.code != "C0509" && finding.code != "C0512") return true;
  return std::none_of(finding.parties.begin(), finding.parties.end(),
                      [](const Party& party) { return party.role == "result" && may_use_result(party.host); });
}

Result<void> Check::read_findings() {
  std::error_code error;
  fs::path file = folder_->path() / "findings";
  std::string text;
  if (fs::exists(file, error)) text = TRY(toolchain::read_file(file));
  check::RecordedRun run = check::read_records(text);
  report_.used_cuda = run.started > 0;
  report_.left_early = run.ended < run.started && report_.end.signal == 0;
  report_.not_watched = std::move(run.not_watched);
  report_.dropped = run.dropped;
  if (run.damaged) report_.not_watched.push_back(fmt::format("{} records of findings are damaged", run.damaged));

  std::erase_if(run.findings, [&](const Finding& finding) { return !stands(finding, report_.end); });
  toolchain::Installation here = toolchain::Installation::find();
  std::vector<fs::path> not_the_users = {here.headers, "/usr/include", "/usr/lib", "/usr/local/cuda",
                                         "/usr/local/include"};
  // Compilers may name the toolkit by where its link leads.
  not_the_users.push_back(fs::weakly_canonical("/usr/local/cuda", error));
  if (const auto nvcc = toolchain::find_nvcc())
    if (const fs::path headers = toolchain::toolkit_headers(*nvcc); !headers.empty())
      not_the_users.insert(not_the_users.end(), {headers, fs::weakly_canonical(headers, error)});
  resolve_host_lines(run.findings, not_the_users);
  merge_same_lines(run.findings);
  report::drop_consequences(run.findings);
  report::SourceFiles sources;
  for (Finding& finding : run.findings) {
    std::string fingerprint = report::fingerprint_of(finding, sources);
    report_.findings.push_back({std::move(finding), std::move(fingerprint)});
  }
  report::sort(report_);
  return {};
}

Result<void> Check::write_report(const std::string& file, const std::string& text) const {
  if (file != "-") return toolchain::write_file(file, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0) return Error{"U0002", "the report cannot be written to standard output"};
  return {};
}

Result<void> Check::write_reports() {
  using namespace report;
  if (!options_.save_baseline.empty()) TRY(write_report(options_.save_baseline, baseline_of(report_)));
  if (!options_.quiet) fmt::print(stderr, "{}", to_text(report_, {use_color(stderr), options_.max_findings}));
  if (!options_.json.empty()) TRY(write_report(options_.json, to_json(report_, options_.fail_on())));
  if (!options_.sarif.empty()) TRY(write_report(options_.sarif, to_sarif(report_)));
  if (!options_.junit.empty()) TRY(write_report(options_.junit, to_junit(report_, options_.fail_on())));
  return {};
}

Result<int> Check::run() {
  report_.tool_version = WARPWISE_VERSION;
  report_.checkers = TRY(options_.checkers());
  report_.runs = options_.schedules;
  // Wrong options are told before anything is compiled.
  auto suppressions = TRY(options_.suppressions());
  std::set<std::string> baseline;
  if (!options_.new_only.empty()) baseline = TRY(report::parse_baseline(TRY(toolchain::read_file(options_.new_only))));
  report_.build = TRY(prepare());
  // No other build tells of overflow; whoever asked for numbers shall not take silence for an answer.
  const bool marked = built_ && !built_->by_nvcc && !options_.as_built;
  if (report_.checkers.has(Checker::Numbers) && !marked)
    report_.build +=
        "; overflow of signed integers (C0604) is not watched: that needs sources and Clang's build for checking";
  std::error_code error;
  folder_ = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  for (unsigned i = 0; i < options_.schedules; ++i) TRY(run_once(i));
  TRY(read_findings());
  report::apply_suppressions(suppressions, report_);
  if (!options_.new_only.empty()) report::apply_baseline(baseline, report_);
  TRY(write_reports());
  switch (report::verdict(report_, options_.fail_on())) {
    case report::Verdict::Clean:
      return kClean;
    case report::Verdict::Findings:
      return kFindings;
    case report::Verdict::ProgramFailed:
      return kProgramFailed;
    case report::Verdict::Incomplete:
      return kCheckFailed;
  }
  return kCheckFailed;
}

}  // namespace

std::unique_ptr<Command> make_check() { return std::make_unique<Check>(); }

}  // namespace warpwise::cli
