// warpwise profile: builds a program as `run` does, runs it as a child that counts what the hardware would count, and reports.
//
//     sources ──build──► program ──child──► records ──► report
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/child.h"
#include "cli/command.h"
#include "cli/compile_words.h"
#include "cli/compiling.h"
#include "cli/device_option.h"
#include "cli/engine_options.h"
#include "cli/help_format.h"
#include "cli/ptxas_registers.h"
#include "cli/start_program.h"
#include "cli/static_runtime.h"
#include "cli/terminal.h"
#include "perf/counters/json.h"
#include "perf/counters/records.h"
#include "perf/counters/text.h"
#include "perf/report/csv.h"
#include "perf/report/html.h"
#include "perf/report/json.h"
#include "perf/report/text.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

class Profile : public Command {
 public:
  void declare(CLI::App& app) override;
  Result<Words> own_words(const CLI::App& app, Words words) override;
  Result<int> run() override;
  int failure_code() const override { return kRunFailed; }
  int usage_code() const override { return kRunFailed; }

 private:
  Result<ProgramStart> prepare();
  Result<ChildEnd> run_program(ProgramStart start, const fs::path& records);
  Result<void> report(const perf::Profile& profile) const;
  Result<void> write(const std::string& file, const std::string& text) const;

  SortedWords words_;
  Compiling compiling_;
  EngineOptions engine_;
  std::string json_, html_, csv_;
  bool counters_ = false;
  size_t lines_ = 8;
  bool exact_ = false, quiet_ = false, verbose_ = false;

  std::optional<toolchain::Program> built_;
};

void Profile::declare(CLI::App& app) {
  set_usage(app, "warpwise profile [options] [compiler flags] SOURCE… [--] [arguments]\n"
            "       warpwise profile [options] PROGRAM [arguments]");
  app.add_option("--json", json_, "write every counter, the modelled times and the advice as JSON (-: to standard output)")->type_name("FILE");
  app.add_option("--html", html_, "write the report as one HTML file that opens without a network")->type_name("FILE");
  app.add_option("--csv", csv_, "write every counter of every kernel and source line as a table (-: to standard output)")->type_name("FILE");
  app.add_flag("--counters", counters_, "show the counters in the text, and no modelled times or advice");
  app.add_flag("--exact", exact_, "count all blocks of large launches, not a sample");
  app.add_option("--lines", lines_, "how many source lines of each kernel to show")->type_name("N");
  app.add_flag("-q,--quiet", quiet_, "no text");
  app.add_flag("-v,--verbose", verbose_, "show the compilers' command lines, and each call of the CUDA runtime that fails");
  engine_.declare(app);
  compiling_.declare(app);
  app.footer("\nThe program runs as it would alone; the report goes to standard error.\n"
             "\nExamples:\n"
             "  warpwise profile saxpy.cu\n"
             "  warpwise profile --device=a100 -O3 matmul.cu 1024\n"
             "  warpwise profile --html=report.html matmul.cu\n"
             "  warpwise profile --json=counters.json ./program-built-by-nvcc\n"
             "\nExit code: the program's; 125 when it does not compile, an option is wrong, or it cannot be profiled.");
}

Result<Words> Profile::own_words(const CLI::App& app, Words words) {
  words_ = sort_words(app, words, /*arguments_follow=*/true);
  bool asks = std::any_of(words_.own.begin(), words_.own.end(), [](const auto& w) { return w == "-h" || w == "--help"; });
  bool unknown = std::any_of(words_.own.begin(), words_.own.end(),
                             [&](const std::string& w) { return w[0] == '-' && !app.get_option_no_throw(w.substr(0, w.find('='))); });
  if (words_.sources.empty() && words_.program.empty() && !asks && !unknown)
    return Error{"T0008", "there is nothing to profile: name a source or a program"};
  return words_.own;
}

Result<ProgramStart> Profile::prepare() {
  const device::Properties* device = TRY(engine_.device());
  ProgramStart start;
  start.words = words_.program;
  if (words_.sources.empty()) {
    start.file = as_file_here(words_.program[0]);
    if (access(start.file.c_str(), F_OK) != 0) return cannot_run(start.file, errno);
    TRY(prepare_static_runtime(start.file, toolchain::Installation::find().libraries));
    return start;
  }
  if (verbose_) words_.compiler.insert(words_.compiler.begin(), "-v");
  toolchain::BuildRequest request = TRY(compiling_.request(words_.compiler, architecture_of(*device)));
  built_ = TRY(toolchain::build_program(request, toolchain::Cache::from_environment()));
  start.file = built_->executable;
  start.modules = built_->modules;
  start.words.insert(start.words.begin(), fs::path(words_.sources[0]).replace_extension());
  return start;
}

Result<ChildEnd> Profile::run_program(ProgramStart start, const fs::path& records) {
  nlohmann::json options = TRY(engine_.json());
  options["profile"] = records.string();
  if (exact_) options["profile_exact"] = true;
  if (verbose_) options["verbosity"] = 1;
  start.options = options.dump();
  const bool divert = json_ == "-" || csv_ == "-";  // standard output is the report's
  ChildEnd end = TRY(run_child([&]() -> int {
    if (divert) dup2(STDERR_FILENO, STDOUT_FILENO);
    return become_program(start);
  }));
  if (end.start_failure) return cannot_run(start.file, end.start_failure);
  return end;
}

Result<void> Profile::write(const std::string& file, const std::string& text) const {
  if (file != "-") return toolchain::write_file(file, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0) return Error{"U0002", "the report cannot be written to standard output"};
  return {};
}

Result<void> Profile::report(const perf::Profile& profile) const {
  const perf::Analysis analysis = perf::analyse(profile, *TRY(engine_.device()));
  if (!quiet_)
    fmt::print(stderr, "{}", counters_ ? perf::counters_to_text(profile, lines_) : perf::to_text(analysis, {use_color(stderr), lines_}));
  if (!json_.empty()) {
    auto json = nlohmann::ordered_json::parse(perf::counters_to_json(profile));
    json["model"] = perf::to_json(analysis);
    TRY(write(json_, json.dump(2) + "\n"));
  }
  if (!html_.empty()) TRY(write(html_, perf::to_html(analysis)));
  if (!csv_.empty()) TRY(write(csv_, perf::to_csv(analysis)));
  return {};
}

Result<int> Profile::run() {
  ProgramStart start = TRY(prepare());
  std::error_code error;
  toolchain::TemporaryFolder folder = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  const fs::path records = folder.path() / "counts";
  const ChildEnd end = TRY(run_program(start, records));
  std::string text;
  if (fs::exists(records, error)) text = TRY(toolchain::read_file(records));
  perf::Profile profile = perf::read_records(text);
  profile.program = words_.sources.empty() ? words_.program[0] : words_.sources[0];
  ask_ptxas_for_registers(profile, start.file, start.modules, *TRY(engine_.device()));
  TRY(report(profile));
  constexpr int kSignalled = 128;  // as shells tell it
  return end.signal != 0 ? kSignalled + end.signal : end.exit_code;
}

}  // namespace

std::unique_ptr<Command> make_profile() { return std::make_unique<Profile>(); }

}  // namespace warpwise::cli
