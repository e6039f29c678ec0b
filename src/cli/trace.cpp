// warpwise trace: records what the warps of a block do, step by step, in a file for `warpwise view`.
//
//     sources ──build, as `run` does──► program ──child──► findings   of all checkers
//                                               ──child──► counts     of all launches, as `profile` has them
//                                               ──child──► steps      of the block that these make interesting
//                                                          └─ complete(): one file
//
// Three runs and not one: which block to record is known only when the program has been checked and counted, and runs
// are repeatable, so the third sees what the first two saw. The runs differ in what they observe, not in the code that
// they observe: all three have the program as `warpwise run` builds it, so that a finding, a count and a step speak of
// the same instructions.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/json.h"
#include "check/records/recorded_run.h"
#include "check/report/consequences.h"
#include "cli/command.h"
#include "cli/support/child.h"
#include "cli/support/compile_words.h"
#include "cli/support/compiling.h"
#include "cli/support/device_option.h"
#include "cli/support/engine_options.h"
#include "cli/support/help_format.h"
#include "cli/support/start_program.h"
#include "cli/support/typed_command.h"
#include "perf/counters/records.h"
#include "perf/report/hot_lines.h"
#include "perf/report/json.h"
#include "toolchain/files.h"
#include "toolchain/installation.h"
#include "toolchain/process.h"
#include "trace/complete.h"
#include "trace/recorder.h"
#include "trace/trace_file.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

// Launches beyond these are counted in the sums of the profile's file, but not listed in the recording.
constexpr size_t kMostLaunches = 1024;

// Of findings so many lines are recorded with their values.
constexpr int kMostLines = 16;

// The block that is recorded, and why.
struct Target {
  const perf::LaunchCounts* launch = nullptr;
  uint64_t block = 0;
  trace::Choice choice = trace::Choice::First;
};

class Trace : public Command {
 public:
  void declare(CLI::App& app) override;
  Result<Words> own_words(const CLI::App& app, Words words) override;
  Result<int> run() override;
  int failure_code() const override { return kRunFailed; }
  int usage_code() const override { return kRunFailed; }

 private:
  Result<void> prepare();
  Result<ChildEnd> run_program(const nlohmann::json& further, bool shown);
  Result<void> check();
  Result<void> count();
  Result<Target> choose() const;
  Result<void> record(const Target& target);
  Result<void> complete(const Target& target);
  Error why_not_recorded(const Error& error) const;
  std::string file_of(const char* name) const { return (folder_->path() / name).string(); }

  SortedWords words_;
  std::string command_;  // as it was typed
  Compiling compiling_;
  EngineOptions engine_;
  std::string output_, kernel_, block_text_;
  std::optional<uint64_t> launch_;
  uint64_t steps_ = trace::kUsualSteps, first_ = 0;
  std::vector<uint32_t> values_;
  bool without_check_ = false, quiet_ = false;

  std::optional<toolchain::TemporaryFolder> folder_;
  std::optional<toolchain::Program> built_;
  ProgramStart start_;
  off_t input_at_ = -1;  // where standard input begins, if it is a file
  unsigned runs_ = 0;
  int exit_code_ = 0;
  std::vector<Finding> findings_;
  perf::Profile profile_;
  std::vector<std::string> notes_;
};

void Trace::declare(CLI::App& app) {
  set_usage(app,
            "warpwise trace [options] [compiler flags] SOURCE… [options] [--] [arguments]\n"
            "       warpwise trace [options] PROGRAM [arguments]");
  app.add_option("-o,--output", output_, "the file to write (the source's name with .wwt)")->type_name("FILE");
  app.add_option("--kernel", kernel_, "record a launch of a kernel whose name contains this")->type_name("NAME");
  app.add_option("--launch", launch_, "the launch to record, from 0; with --kernel among its launches")->type_name("N");
  app.add_option("--block", block_text_, "the block to record (the first finding's, else the first block)")
      ->type_name("X,Y,Z");
  app.add_option("--values", values_,
                 "record the values of the instructions of these source lines, too (those of the findings)")
      ->delimiter(',')
      ->expected(1, kMostLines)
      ->allow_extra_args(false)
      ->type_name("LINE,…");
  app.add_option("--steps", steps_,
                 fmt::format("record so many steps, all warps together ({}; at most {})", trace::kUsualSteps,
                             trace::kMostSteps))
      ->check(CLI::Range(uint64_t{1}, trace::kMostSteps))
      ->type_name("N");
  app.add_option("--from", first_, "record from this step of each warp on (0)")->type_name("N");
  app.add_flag("--no-check", without_check_, "leave out the checkers: the file then has no findings");
  app.add_flag("-q,--quiet", quiet_, "no text");
  engine_.declare(app);
  compiling_.declare(app);
  app.footer(
      "\nThe program runs three times: checked, counted, recorded. It is shown once.\n"
      "\nExamples:\n"
      "  warpwise trace transpose.cu\n"
      "  warpwise view transpose.wwt\n"
      "  warpwise trace -o race.wwt --kernel=reduce --block=3,0,0 reduce.cu 4096\n"
      "  warpwise trace --values=17 --schedule=shuffle:7 scan.cu\n"
      "\nExit code: that of the program; 125 when it does not compile, an option is wrong, or there is nothing to "
      "record.");
}

Result<Words> Trace::own_words(const CLI::App& app, Words words) {
  words_ = sort_words(app, words, BehindSources::Arguments);
  command_ = typed_command("trace", words);
  if (words_.sources.empty() && words_.program.empty() && !cli11_answers(app, words_))
    return nothing_to("record", "name a source or a program", words_);
  return words_.own;
}

// "3", "3,1", "3,1,0"; V0007 for anything else.
Result<Index3> parse_block(const std::string& text) {
  std::array<uint32_t, 3> part{};
  const char *at = text.data(), *end = at + text.size();
  for (size_t n = 0; n < 3; ++n) {
    const auto [behind, error] = std::from_chars(at, end, part[n]);
    if (error != std::errc{}) break;
    if (behind == end) return Index3{part[0], part[1], part[2]};
    if (*behind != ',') break;
    at = behind + 1;
  }
  return Error{"V0007", fmt::format("`{}` is no block: give X, X,Y or X,Y,Z", text)};
}

Result<void> Trace::prepare() {
  const device::Properties* device = TRY(engine_.device());
  if (words_.sources.empty()) {
    start_ = TRY(start_of_program(words_.program));
  } else {
    toolchain::BuildRequest request = TRY(compiling_.request(words_.compiler, architecture_of(*device)));
    built_ = TRY(toolchain::build_program(request, toolchain::Cache::from_environment()));
    start_ = start_of_built(*built_, words_.sources[0], words_.program);
  }
  const std::string& name = words_.sources.empty() ? words_.program[0] : words_.sources[0];
  if (output_.empty()) output_ = fs::path(name).filename().replace_extension(".wwt").string();

  struct stat input{};
  if (fstat(STDIN_FILENO, &input) != 0) return {};
  if (S_ISREG(input.st_mode)) input_at_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  if (S_ISFIFO(input.st_mode) && poll(&waiting, 1, 0) == 1 && (waiting.revents & POLLIN))
    notes_.push_back("standard input is a pipe: only the first of three runs could read it; use a file (< FILE)");
  return {};
}

// Only the first run is shown.
Result<ChildEnd> Trace::run_program(const nlohmann::json& further, bool shown) {
  nlohmann::json options = TRY(engine_.json());
  options.update(further);
  ProgramStart start = start_;
  start.options = dump_json(options);
  const std::string errors = file_of("stderr");
  if (runs_++ > 0 && input_at_ >= 0) lseek(STDIN_FILENO, input_at_, SEEK_SET);
  const ChildEnd end = TRY(run_child([&]() -> int {
    if (!shown) {
      constexpr int kMode = 0600;
      const int nowhere = open("/dev/null", O_WRONLY), kept = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kMode);
      if (nowhere < 0 || kept < 0) return errno;
      dup2(nowhere, STDOUT_FILENO), dup2(kept, STDERR_FILENO);
    }
    offer_tool_of_nvtx();
    return become_program(start);
  }));
  if (end.start_failure) return cannot_run(start.file, end.start_failure);
  constexpr int kSignalled = 128;  // as shells report it
  if (shown) exit_code_ = end.signal != 0 ? kSignalled + end.signal : end.exit_code;
  return end;
}

Result<void> Trace::check() {
  nlohmann::json checkers = nlohmann::json::array();
  for (const Checker checker : {Checker::Memory, Checker::Init, Checker::Race, Checker::Sync, Checker::Assert})
    checkers.push_back(warpwise::name_of(checker));
  TRY(run_program({{"check", checkers}, {"findings", file_of("findings")}}, true));
  std::error_code error;
  if (!fs::exists(file_of("findings"), error)) return {};
  check::RecordedRun run = check::read_records(TRY(toolchain::read_file(file_of("findings"))));
  check::report::drop_consequences(run.findings);
  findings_ = std::move(run.findings);
  for (const std::string& what : run.not_checked) notes_.push_back(fmt::format("not checked: {}", what));
  return {};
}

Result<void> Trace::count() {
  TRY(run_program({{"profile", file_of("counts")}}, without_check_));
  std::error_code error;
  if (fs::exists(file_of("counts"), error)) profile_ = perf::read_records(TRY(toolchain::read_file(file_of("counts"))));
  profile_.program = words_.sources.empty() ? words_.program[0] : words_.sources[0];
  if (!profile_.launches.empty()) return {};
  return Error{"V0006", "the program launched no kernel"};
}

bool is_in(const Index3& block, const device::Dim3& grid) {
  return block.x < grid.x && block.y < grid.y && block.z < grid.z;
}
uint64_t number_of(const Index3& block, const device::Dim3& grid) {
  return block.x + uint64_t{grid.x} * (block.y + uint64_t{grid.y} * block.z);
}

// The first party of a finding that is a thread of the kernel.
const Party* party_in(const std::vector<Finding>& findings, const perf::LaunchCounts& launch) {
  for (const Finding& finding : findings)
    for (const Party& party : finding.parties)
      if (party.kernel == launch.kernel && party.block && is_in(*party.block, launch.grid)) return &party;
  return nullptr;
}

Result<Target> Trace::choose() const {
  std::vector<const perf::LaunchCounts*> launches;
  for (const perf::LaunchCounts& launch : profile_.launches)
    if (launch.kernel.find(kernel_) != std::string::npos) launches.push_back(&launch);
  if (launches.empty()) return Error{"V0006", fmt::format("the program launches no kernel `{}`", kernel_)};
  if (launch_ && *launch_ >= launches.size())
    return Error{"V0006", fmt::format("there are launches 0 to {}", launches.size() - 1)};

  Target target;
  if (launch_) {
    target.launch = launches[*launch_], target.choice = trace::Choice::Asked;
  } else {
    const device::Properties& device = *TRY(engine_.device());
    double longest = -1;
    for (const perf::LaunchCounts* launch : launches) {
      if (party_in(findings_, *launch)) {
        target.launch = launch;
        break;
      }
      const auto prediction = perf::predict(*launch, device);
      if (const double seconds = prediction ? prediction->seconds : 0; seconds > longest)
        longest = seconds, target.launch = launch;
    }
    target.choice = trace::Choice::CostliestLine;
  }
  if (!block_text_.empty()) {
    const Index3 block = TRY(parse_block(block_text_));
    if (!is_in(block, target.launch->grid))
      return Error{"V0007", fmt::format("the grid of `{}` is {}x{}x{}", target.launch->kernel, target.launch->grid.x,
                                        target.launch->grid.y, target.launch->grid.z)};
    target.block = number_of(block, target.launch->grid), target.choice = trace::Choice::Asked;
  } else if (const Party* party = party_in(findings_, *target.launch)) {
    target.block = number_of(*party->block, target.launch->grid), target.choice = trace::Choice::Finding;
  }
  return target;
}

// Where nothing else is asked for, a finding shall be seen with the values that it is about.
std::vector<uint32_t> lines_of(const std::vector<Finding>& findings, const perf::LaunchCounts& launch) {
  std::vector<uint32_t> lines;
  for (const Finding& finding : findings)
    for (const Party& party : finding.parties) {
      if (party.kernel != launch.kernel || party.code.frames.empty() || lines.size() == size_t(kMostLines)) continue;
      const uint32_t line = party.code.frames[0].line;
      if (line != 0 && std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  return lines;
}

// On one thread, so that blocks run in the same order each time.
Result<void> Trace::record(const Target& target) {
  TRY(run_program({{"trace", file_of("steps")},
                   {"trace_kernel", target.launch->symbol},
                   {"trace_launch", target.launch->index},
                   {"trace_block", target.block},
                   {"trace_first", first_},
                   {"trace_steps", steps_},
                   {"trace_values", values_.empty() ? lines_of(findings_, *target.launch) : values_},
                   {"threads", 1}},
                  false));
  return {};
}

// What the recorder said in the program, or else that there is no whole file.
Error Trace::why_not_recorded(const Error& error) const {
  const auto said = toolchain::read_file(file_of("stderr"));
  constexpr std::string_view kBegin = "warpwise: V";
  if (!said || said->find(kBegin) == said->npos)
    return {"V0006",
            fmt::format("the program ended before its launch did, and the recording with it ({})", error.message)};
  const std::string_view line = std::string_view(*said).substr(said->find(kBegin) + kBegin.size() - 1);
  return {std::string(line.substr(0, 5)), std::string(line.substr(7, line.find('\n') - 7))};
}

Result<void> Trace::complete(const Target& target) {
  const device::Properties& device = *TRY(engine_.device());
  trace::Completion c;
  c.program = profile_.program, c.command = command_, c.tool = WARPWISE_VERSION, c.device = device.id;
  const nlohmann::json options = TRY(engine_.json());
  c.schedule = options.value("schedule", "in-order");
  c.choice = target.choice, c.launch = target.launch->index;
  c.checked = !without_check_, c.findings = findings_, c.notes = notes_;
  c.read_source = [](const std::string& file) -> std::optional<std::string> {
    auto text = toolchain::read_file(file);
    return text ? std::optional(std::move(*text)) : std::nullopt;
  };

  perf::Profile kept = profile_;
  if (kept.launches.size() > kMostLaunches) {
    c.notes.push_back(fmt::format("the profile lists {} of {} launches", kMostLaunches, kept.launches.size()));
    const perf::LaunchCounts recorded = *target.launch;
    kept.launches.resize(kMostLaunches);
    if (recorded.index >= kMostLaunches) kept.launches.back() = recorded;
  }
  const perf::Analysis analysis = perf::analyse(kept, device);
  c.profile = perf::profile_to_json(kept, analysis);
  if (const auto place = perf::costliest_place(analysis, target.launch->symbol))
    c.costly_line = trace::SourceFrame{place->file, place->line, place->column, place->function};
  if (const auto done = trace::complete(file_of("steps"), output_, c); !done)
    return done.error().code.starts_with("U0001") || done.error().code == "V0003" ? why_not_recorded(done.error())
                                                                                  : done.error();
  return {};
}

Result<int> Trace::run() {
  if (!block_text_.empty()) TRY(parse_block(block_text_));
  std::error_code error;
  folder_ = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  TRY(prepare());
  if (!without_check_) TRY(check());
  TRY(count());
  const Target target = TRY(choose());
  TRY(record(target));
  TRY(complete(target));
  // A pipe or a device cannot be read again.
  if (quiet_ || !fs::is_regular_file(output_, error)) return exit_code_;
  const auto file = TRY(trace::TraceFile::open(output_));
  uint64_t made = 0, recorded = 0;
  for (const trace::WarpInfo& warp : file->recording().warps) made += warp.steps, recorded += warp.count;
  const Index3& block = file->recording().block;
  fmt::print(stderr, "{}: block ({},{},{}) of launch {}, `{}`: {} of {} steps, {} KB\nNext: warpwise view {}\n",
             output_, block.x, block.y, block.z, target.launch->index, target.launch->kernel, recorded, made,
             (fs::file_size(output_, error) + 1023) / 1024, toolchain::shell_quoted({output_}));
  return exit_code_;
}

}  // namespace

std::unique_ptr<Command> make_trace() { return std::make_unique<Trace>(); }

}  // namespace warpwise::cli
