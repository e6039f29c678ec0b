// warpwise check: builds a program so that no access is optimised away, runs it as a child with the checkers on, and
// reports what they found.
//
//     sources ──build──► program ──child, once per schedule──► records ──merge, resolve, suppress──► report
//
// With --each there are many programs: a process for each (support/check_each.h), and their reports are merged.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/json.h"
#include "check/records/recorded_run.h"
#include "check/report/annotations.h"
#include "check/report/baseline.h"
#include "check/report/consequences.h"
#include "check/report/fingerprint.h"
#include "check/report/json.h"
#include "check/report/junit.h"
#include "check/report/sarif.h"
#include "check/report/text.h"
#include "cli/command.h"
#include "cli/support/check_each.h"
#include "cli/support/check_options.h"
#include "cli/support/child.h"
#include "cli/support/compile_words.h"
#include "cli/support/compiling.h"
#include "cli/support/device_option.h"
#include "cli/support/engine_options.h"
#include "cli/support/help_format.h"
#include "cli/support/host_lines.h"
#include "cli/support/start_program.h"
#include "cli/support/terminal.h"
#include "toolchain/files.h"
#include "toolchain/flags.h"
#include "toolchain/installation.h"
#include "toolchain/messages.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;
namespace report = check::report;

// Exit codes of `check`, as docs/exit_codes.md lists them.
enum CheckCode : int {
  kClean = 0,
  kFindings = 1,
  kProgramFailed = 2,
  kNotChecked = 3,     // the program does not compile or start, or not everything was checked
  kCommandFailed = 4,  // a wrong option, a file that cannot be read or written
};

int code_of(report::Verdict verdict) {
  switch (verdict) {
    case report::Verdict::Clean:
      return kClean;
    case report::Verdict::Findings:
      return kFindings;
    case report::Verdict::ProgramFailed:
      return kProgramFailed;
    case report::Verdict::Incomplete:
    case report::Verdict::NotChecked:
      return kNotChecked;
  }
  return kNotChecked;
}

class Check : public Command {
 public:
  void declare(CLI::App& app) override;
  Result<Words> own_words(const CLI::App& app, Words words) override;
  Result<int> run() override;
  int failure_code() const override { return kCommandFailed; }
  int usage_code() const override { return kCommandFailed; }

 private:
  Result<void> check_program();
  Result<int> run_each();
  Result<std::string> prepare();
  Result<void> run_once(unsigned index);
  Result<void> read_findings();
  Result<int> write_reports(report::Reports reports, const std::string& text, const std::string& json) const;
  Result<void> write_report(const std::string& file, const std::string& text) const;

  const CLI::App* app_ = nullptr;
  SortedWords words_;
  Compiling compiling_;
  EngineOptions engine_;
  CheckOptions options_;

  std::optional<toolchain::TemporaryFolder> folder_;  // of the records
  std::optional<toolchain::Program> built_;
  ProgramStart start_;
  report::Report report_;
  std::vector<report::Suppression> suppressions_;
  std::set<std::string> baseline_;
};

void Check::declare(CLI::App& app) {
  app_ = &app;
  set_usage(app,
            "warpwise check [options] [compiler flags] SOURCE… [--] [arguments]\n"
            "       warpwise check [options] PROGRAM [arguments]\n"
            "       warpwise check --each [options] [compiler flags] FOLDER|SOURCE… [-- arguments]");
  options_.declare(app);
  engine_.declare(app);
  compiling_.declare(app);
  app.footer(
      "\nThe program runs as usual; the report goes to standard error.\n"
      "\nExamples:\n"
      "  warpwise check scan.cu\n"
      "  warpwise check --only=race --schedules=5 scan.cu 4096\n"
      "  warpwise check --each --junit=check.xml tests\n"
      "  warpwise check --sarif=findings.sarif ./scan_test\n"
      "  warpwise check --save-baseline=known.json ./scan_test\n"
      "  warpwise check --new-only=known.json --suppressions=suppressions.txt ./scan_test\n"
      "  warpwise explain C0201\n"
      "\nExit code: 0 clean, 1 findings (--fail-on), 2 the program itself failed, 3 it could not be checked (it does\n"
      "not compile, or not everything was checked), 4 wrong options or files. With --each the first of 1, 2 and 3\n"
      "that a program has.");
}

Result<Words> Check::own_words(const CLI::App& app, Words words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  const bool each = std::find(words.begin(), end, "--each") != end;
  words_ = sort_words(app, words, each ? BehindSources::Anything : BehindSources::Arguments);
  const bool none = words_.sources.empty() && (each || words_.program.empty());
  if (none && !cli11_answers(app, words_))
    return nothing_to("check", each ? "name a folder or sources" : "name a source or a program", words_);
  return words_.own;
}

// Makes the program. Returns which build it is.
Result<std::string> Check::prepare() {
  const device::Properties* device = TRY(engine_.device());
  if (words_.sources.empty()) {
    report_.program = words_.program[0];
    start_ = TRY(start_of_program(words_.program));
    return std::string("the program as it was built");
  }
  report_.program = words_.sources[0];
  if (options_.verbose) words_.compiler.insert(words_.compiler.begin(), "-v");
  toolchain::BuildRequest request = TRY(compiling_.request(words_.compiler, architecture_of(*device)));
  request.mark_overflow = report_.checkers.has(Checker::Numbers);
  request.purpose = options_.as_built ? toolchain::BuildPurpose::Run : toolchain::BuildPurpose::Check;
  request.say = [this, say = std::move(request.say)](std::string_view text) {
    report_.output += toolchain::without_colours(text);
    say(text);
  };
  built_ = TRY(toolchain::build_program(request, toolchain::Cache::from_environment()));
  start_ = start_of_built(*built_, words_.sources[0], words_.program);
  return fmt::format("{} ({})", options_.as_built ? "optimised, as built" : "unoptimised, for checking",
                     built_->by_nvcc ? "nvcc" : "Clang");
}

// The first run has the requested order, the others have orders of their own.
Result<void> Check::run_once(unsigned index) {
  nlohmann::json options = TRY(engine_.json());
  options["check"] = nlohmann::json::array();
  for (unsigned i = 0; i < kCheckers; ++i)
    if (report_.checkers.has(Checker(i))) options["check"].push_back(warpwise::name_of(Checker(i)));
  options["findings"] = (folder_->path() / "findings").string();
  if (index > 0) options["schedule"] = fmt::format("shuffle:{}", index);
  start_.options = dump_json(options);

  // The program's output goes where it always goes, except with a JSON report on standard output, and only in the first
  // run.
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

// Findings that only the parent can judge: a call whose error the program may not read, as its machine code says; and
// what a program that failed by itself has left undone.
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
  report_.not_checked = std::move(run.not_checked);
  report_.dropped = run.dropped;
  if (run.damaged) report_.not_checked.push_back(fmt::format("{} records of findings are damaged", run.damaged));

  std::erase_if(run.findings, [&](const Finding& finding) { return !stands(finding, report_.end); });
  toolchain::Installation here = toolchain::Installation::find();
  std::vector<fs::path> not_the_users = {here.headers, here.libraries,    "/usr/include",
                                         "/usr/lib",   "/usr/local/cuda", "/usr/local/include"};
  // Compilers may name the toolkit by the target of its link.
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
  if (file != "-") {
    std::error_code error;  // write_file() says why the file cannot be written
    if (const fs::path folder = fs::path(file).parent_path(); !folder.empty()) fs::create_directories(folder, error);
    return toolchain::write_file(file, text);
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0) return Error{"U0002", "the report cannot be written to standard output"};
  return {};
}

// Writes the report in all requested forms. Returns the exit code.
Result<int> Check::write_reports(report::Reports reports, const std::string& text, const std::string& json) const {
  using namespace report;
  if (!options_.save_baseline.empty()) TRY(write_report(options_.save_baseline, baseline_of(reports)));
  if (!options_.quiet) fmt::print(stderr, "{}", text);
  if (options_.annotates()) fmt::print(stderr, "{}", to_annotations(reports));
  if (!options_.json.empty()) TRY(write_report(options_.json, json));
  if (!options_.sarif.empty()) TRY(write_report(options_.sarif, to_sarif(reports)));
  if (!options_.junit.empty()) TRY(write_report(options_.junit, to_junit(reports, options_.fail_on())));
  return code_of(verdict(reports, options_.fail_on()));
}

// Builds, runs and judges the program.
Result<void> Check::check_program() {
  report_.build = TRY(prepare());
  report_.output.clear();
  // No other build reports overflow. If `numbers` was requested, silence would look like an answer.
  const bool marked = built_ && !built_->by_nvcc && !options_.as_built;
  if (report_.checkers.has(Checker::Numbers) && !marked)
    report_.build +=
        "; overflow of signed integers (C0604) is not checked: that needs sources and Clang's build for checking";
  std::error_code error;
  folder_ = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  for (unsigned i = 0; i < options_.schedules; ++i) TRY(run_once(i));
  return read_findings();
}

Result<int> Check::run_each() {
  Progress progress;
  EachRequest request;
  request.inputs = words_.sources;
  request.options = CheckOptions::words_for_one_program(*app_);
  for (size_t i = 0; i < words_.compiler.size();) {
    // Flags keep their values; the other words are the inputs.
    const unsigned count = toolchain::words_of_flag(words_.compiler[i]);
    const size_t end = std::min(words_.compiler.size(), i + std::max(count, 1u));
    if (count)
      request.options.insert(request.options.end(), words_.compiler.begin() + i, words_.compiler.begin() + end);
    i = end;
  }
  request.arguments = words_.program;
  request.jobs = options_.jobs;
  request.on_slow = [&] { progress.show("checking…"); };
  std::vector<report::Report> reports = TRY(check_each(request));
  progress.clear();
  for (report::Report& report : reports) {
    report::apply_suppressions(suppressions_, report);
    report.unused_suppressions.clear();
    report::apply_baseline(baseline_, report);
  }
  // A suppression may be for one program of many.
  if (!reports.empty())
    for (const report::Suppression& s : suppressions_)
      if (!s.used) reports.back().unused_suppressions.push_back(s.text);
  return write_reports(reports, report::to_text(reports, {use_color(stderr), options_.max_findings}),
                       report::to_json(reports, options_.fail_on()));
}

Result<int> Check::run() {
  report_.tool_version = WARPWISE_VERSION;
  report_.checkers = TRY(options_.checkers());
  report_.runs = options_.schedules;
  TRY(engine_.need_virtual("warpwise check", "a real one does not report what a kernel does wrong"));
  TRY(engine_.device());
  // Wrong options are reported before anything is compiled.
  suppressions_ = TRY(options_.suppressions());
  if (!options_.new_only.empty())
    baseline_ = TRY(report::parse_baseline(TRY(toolchain::read_stream(options_.new_only))));
  if (options_.each) return run_each();

  auto text = [&] { return report::to_text(report_, {use_color(stderr), options_.max_findings}); };
  auto json = [&] { return report::to_json(report_, options_.fail_on()); };
  if (const Result<void> checked = check_program(); !checked) {
    // Errors that say nothing about the program are main's to report: ^C, and flags that no compiler has.
    for (const char* code : {"T0005", "T0006", "T0009"})
      if (checked.error().code == code) return checked.error();
    report_.failure = checked.error().message;
    report_.failure_code = checked.error().code;
    for (toolchain::CompilerError& error : toolchain::compiler_errors(report_.output))
      report_.compile_errors.push_back({{std::move(error.file), error.line, error.column, ""}, std::move(error.text)});
    if (!options_.quiet) cli::report(checked.error(), next_step(checked.error(), "check"));
    return write_reports(report::only(report_), "", json());
  }
  report::apply_suppressions(suppressions_, report_);
  report::apply_baseline(baseline_, report_);
  return write_reports(report::only(report_), text(), json());
}

}  // namespace

std::unique_ptr<Command> make_check() { return std::make_unique<Check>(); }

}  // namespace warpwise::cli
