// warpwise profile: builds a program as `run` does, runs it as a child that counts what the hardware would count, and
// reports the counts and the modelled times.
//
//     sources ──build──► program ──child──► records ──► report
//
// With --on=gpu it runs there first, and what the launches took stands beside what the model says; where Nsight Compute
// is installed, the GPU's own counters stand beside ours:
//
//     program on the GPU ──► its output, times of launches ──┐
//     program below ncu ──► counters of the GPU ─────────────┼─► report
//     program on the virtual GPU ──► counters, model ────────┘
//
// With --vs it does so for two programs. With --baseline, one side is an earlier run that --save stored
// (kept_profiles.h). The report then shows the two side by side.
//
// --baseline has an exit code of its own, kGotWorse. If the program itself ends with that number, the command fails
// (kRunFailed) and says why, so kGotWorse always means "worse than the baseline".
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "base/json.h"
#include "cli/command.h"
#include "cli/support/child.h"
#include "cli/support/compile_words.h"
#include "cli/support/compiling.h"
#include "cli/support/device_option.h"
#include "cli/support/engine_options.h"
#include "cli/support/help_format.h"
#include "cli/support/kept_profiles.h"
#include "cli/support/ncu.h"
#include "cli/support/ptxas_registers.h"
#include "cli/support/start_program.h"
#include "cli/support/terminal.h"
#include "cli/support/typed_command.h"
#include "device/device_file.h"
#include "perf/counters/json.h"
#include "perf/counters/records.h"
#include "perf/counters/text.h"
#include "perf/report/compare.h"
#include "perf/report/csv.h"
#include "perf/report/html.h"
#include "perf/report/json.h"
#include "perf/report/provenance.h"
#include "perf/report/text.h"
#include "perf/report/timeline.h"
#include "toolchain/files.h"
#include "toolchain/flags.h"

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
  // A program of the command line, and what was counted in it.
  struct Run {
    perf::Profile profile;
    int exit_code = 0;
    std::string cut_short;  // why the record is incomplete, as a sentence; "" when it is complete
  };
  Result<const device::Properties*> device();
  Result<ProgramStart> prepare(const SortedWords& words);
  Result<const device::Properties*> with_clock(const device::Properties& chosen, const device::Properties& like);
  Result<ChildEnd> run_program(ProgramStart start, const fs::path& records);
  Result<ChildEnd> measure(ProgramStart start, perf::Profile& measured);
  Result<Run> profile(const SortedWords& words);
  SortedWords words_of_other() const;
  Result<void> report(const Run& run);
  void report_text(const Run& run);
  Result<void> report(const perf::Comparison& comparison) const;
  Result<int> against(const perf::Profile& before, const perf::Profile& profile, int exit_code);
  Result<void> keep(const perf::Profile& profile);
  Result<void> write(const std::string& file, const std::string& text) const;
  perf::Provenance provenance() const { return {WARPWISE_VERSION, perf::date_now(), command_}; }

  SortedWords words_;
  std::string command_;  // as it was typed, for the reports
  Compiling compiling_;
  EngineOptions engine_;
  std::string json_, html_, csv_, timeline_;
  std::string other_, save_, baseline_, clock_;
  std::string history_, kernel_;  // history_: "" for all names
  bool shows_history_ = false;
  double threshold_ = 10;
  bool counters_ = false;
  size_t lines_ = 8;
  bool exact_ = false, quiet_ = false, verbose_ = false, no_ncu_ = false;

  std::optional<toolchain::TemporaryFolder> folder_;
  std::vector<toolchain::Program> built_;                // they may own their files
  const device::Properties* device_ = nullptr;           // to model
  std::unique_ptr<const device::gpu::Description> gpu_;  // to measure on, with --on=gpu
  Progress progress_;
  const off_t input_ = place_of_input();
};

void Profile::declare(CLI::App& app) {
  set_usage(app,
            "warpwise profile [options] [compiler flags] SOURCE… [options] [--] [arguments]\n"
            "       warpwise profile [options] PROGRAM [arguments]");
  app.add_option("--json", json_,
                 "write every counter, the modelled times and the advice as JSON (-: to standard output)")
      ->type_name("FILE");
  app.add_option("--html", html_, "write the report, or the comparison, as one HTML file that opens without a network")
      ->type_name("FILE");
  app.add_option("--csv", csv_,
                 "write every counter of every kernel and source line as a table (-: to standard output)")
      ->type_name("FILE");
  app.add_option("--timeline", timeline_,
                 "write a timeline of calls, copies, kernels, blocks and named ranges by modelled time, for "
                 "chrome://tracing or ui.perfetto.dev")
      ->type_name("FILE");
  app.add_option("--vs", other_, "profile this source or program as well and compare the two")->type_name("FILE");
  app.add_option("--save", save_,
                 "store what was counted: a name adds a run to the history; with `/` or `.` it is a file")
      ->type_name("NAME|FILE");
  app.add_option(
         "--baseline", baseline_,
         "compare the run with the last one of a name, NAME@3, or a file that --save wrote; exit with 122 if it got "
         "worse")
      ->type_name("NAME|FILE");
  app.add_option("--history", history_,
                 "list the names that --save has stored, or the runs of one name with their kernel times; runs nothing")
      ->expected(0, 1)
      ->type_name("[=NAME]");
  app.add_option("--kernel", kernel_, "with --history=NAME: draw the kernels whose name contains this, run by run")
      ->needs("--history")
      ->type_name("TEXT");
  app.add_option("--threshold", threshold_, "how many per cent worse than the baseline a time or a counter may be (10)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("PERCENT");
  app.add_option("--clock", clock_, "the core clock: boost, base (as ncu sets it), or a number of MHz")
      ->type_name("CLOCK");
  app.add_flag("--counters", counters_, "show the counters in the text, and no modelled times or advice");
  app.add_flag("--no-ncu", no_ncu_, "with --on=gpu: times alone, without the GPU's own counters");
  app.add_flag("--exact", exact_, "count all blocks of large launches instead of a sample");
  app.add_option("--lines", lines_, "how many source lines of each kernel to show")->type_name("N");
  app.add_flag("-q,--quiet", quiet_, "no text");
  app.add_flag("-v,--verbose", verbose_, "show the compilers' command lines, and each CUDA call that fails");
  engine_.declare(app);
  engine_.allow_both();
  compiling_.declare(app);
  app.footer(
      "\nThe program runs as it does without the profiler; the report goes to standard error.\n"
      "\nExamples:\n"
      "  warpwise profile saxpy.cu\n"
      "  warpwise profile --device=a100 -O3 matmul.cu 1024\n"
      "  warpwise profile --html=report.html matmul.cu\n"
      "  warpwise profile --timeline=trace.json pipeline.cu\n"
      "  warpwise profile --json=counters.json ./program-built-by-nvcc\n"
      "  warpwise profile --on=gpu matmul.cu\n"
      "  warpwise profile naive.cu --vs=tiled.cu\n"
      "  warpwise profile --html=faster.html naive.cu --vs=tiled.cu\n"
      "  warpwise profile --save=main matmul.cu; warpwise profile --baseline=main matmul.cu; warpwise profile "
      "--history=main\n"
      "  warpwise profile --baseline=ci/matmul.json matmul.cu\n"
      "\nExit code: that of the program; 122 when it ended with 0 and is worse than its baseline; 125 when it does not "
      "compile, an option is wrong, it cannot be profiled, or with --baseline it ends with 122 itself.");
}

Result<Words> Profile::own_words(const CLI::App& app, Words words) {
  words_ = sort_words(app, words, BehindSources::Arguments);
  command_ = typed_command("profile", words);
  shows_history_ = std::any_of(words_.own.begin(), words_.own.end(),
                               [](const std::string& w) { return w == "--history" || w.starts_with("--history="); });
  if (words_.sources.empty() && words_.program.empty() && !cli11_answers(app, words_) && !shows_history_)
    return nothing_to("profile", "name a source or a program", words_);
  return words_.own;
}

// A real GPU is modelled by the figures that it says of itself, unless --device names others. With --clock, the device
// is like the chosen one except for its clocks.
Result<const device::Properties*> Profile::device() {
  if (device_) return device_;
  if (const auto ordinal = TRY(engine_.gpu())) gpu_ = TRY(device::gpu::find(*ordinal));
  const device::Properties* chosen = TRY(engine_.device());
  const bool is_gpu = gpu_ && chosen->id == gpu_->id, own_clock = clock_.empty() || clock_ == "boost";
  const device::Properties* like = device::find_device(is_gpu ? std::string_view(gpu_->modelled) : chosen->id);
  if (own_clock && !is_gpu) return device_ = chosen;
  if (!like)
    return Error{
        "U0005",
        "--clock works with the devices of `warpwise devices`: in a device file of your own, set `core_clock_khz` "
        "and `sustained_clock_khz`"};
  return device_ = TRY(with_clock(*chosen, *like));
}

// As a file, which the program's own process can read.
Result<const device::Properties*> Profile::with_clock(const device::Properties& chosen,
                                                      const device::Properties& like) {
  device::Properties changed = chosen;
  std::string name(chosen.name);
  double khz = clock_.empty() || clock_ == "boost" ? chosen.core_clock_khz : chosen.machine.sustained_khz;
  if (!clock_.empty() && clock_ != "base" && clock_ != "boost") {
    char* end = nullptr;
    khz = std::strtod(clock_.c_str(), &end) * 1000;
    if (*end != 0 || !(khz > 0))
      return Error{"U0005", fmt::format("--clock takes `boost`, `base` or a number of MHz, not `{}`", clock_)};
  }
  if (!clock_.empty() && clock_ != "boost") {
    name = fmt::format("{} at {:.0f} MHz", chosen.name, khz / 1000);
    changed.name = name;
    changed.core_clock_khz = unsigned(khz);
    changed.machine.sustained_khz = std::min(khz, chosen.machine.sustained_khz);
  }
  const fs::path file = folder_->path() / "device.toml";
  TRY(toolchain::write_file(file, device::device_file_text(changed, like)));
  return device::device_named(file.string());
}

Result<ProgramStart> Profile::prepare(const SortedWords& words) {
  if (words.sources.empty()) return start_of_program(words.program);
  std::vector<std::string> compiler = words.compiler;
  if (verbose_) compiler.insert(compiler.begin(), "-v");
  toolchain::BuildRequest request = TRY(compiling_.request(compiler, architecture_of(*TRY(device()))));
  if (gpu_) request.device_architecture = architecture_of(gpu_->properties);
  built_.push_back(TRY(toolchain::build_program(request, toolchain::Cache::from_environment())));
  return start_of_built(built_.back(), words.sources[0], words.program);
}

Result<ChildEnd> Profile::run_program(ProgramStart start, const fs::path& records) {
  nlohmann::json options = TRY(engine_.json());
  options.erase("on");
  if (device_ && !device::find_device(device_->id)) options["device"] = device_->id;
  options["profile"] = records.string();
  if (exact_) options["profile_exact"] = true;
  if (verbose_) options["verbosity"] = 1;
  start.options = dump_json(options);
  const bool divert = json_ == "-" || csv_ == "-" || timeline_ == "-";  // standard output is for the report
  ChildEnd end = TRY(run_child([&]() -> int {
    if (divert) dup2(STDERR_FILENO, STDOUT_FILENO);
    if (gpu_) be_silent(input_);  // it has said everything on the GPU
    offer_tool_of_nvtx();
    return become_program(start);
  }));
  if (end.start_failure) return cannot_run(start.file, end.start_failure);
  return end;
}

// The program on the real GPU: once for its times, and once more below ncu, which runs each kernel many times.
Result<ChildEnd> Profile::measure(ProgramStart start, perf::Profile& measured) {
  const fs::path records = folder_->path() / "times";
  std::error_code error;
  fs::remove(records, error);
  nlohmann::json options = TRY(engine_.json());
  options["on"] = gpu_->id;
  ProgramStart below = start;
  below.options = dump_json(options);
  options["profile"] = records.string();
  if (verbose_) options["verbosity"] = 1;
  start.options = dump_json(options);
  const bool divert = json_ == "-" || csv_ == "-" || timeline_ == "-";
  const ChildEnd end = TRY(run_child([&]() -> int {
    if (divert) dup2(STDERR_FILENO, STDOUT_FILENO);
    return become_program(start);
  }));
  if (end.start_failure) return cannot_run(start.file, end.start_failure);
  if (fs::exists(records, error)) measured = perf::read_records(TRY(toolchain::read_file(records)));
  measured.measured_on = gpu_->name;
  if (no_ncu_ || !end.ok()) return end;
  if (const auto ncu = find_ncu()) {
    if (!quiet_) progress_.show("reading the GPU's own counters");
    TRY(count_with_ncu(*ncu, below, folder_->path(), input_, measured));
  } else {
    measured.why_no_hardware = "The GPU's own counters were not read: Nsight Compute's program `ncu` is not installed.";
  }
  return end;
}

// Why a record is incomplete: the one cause that holds. A program opens its record when it first uses the device.
std::string why_cut_short(const perf::Profile& profile, bool no_record, const ChildEnd& end) {
  if (profile.complete) return "";
  const std::string when = no_record ? "before it used the GPU" : "before its record was complete";
  if (end.signal != 0)
    return fmt::format("Signal {} ({}) ended the program {}.", end.signal, strsignal(end.signal), when);
  if (no_record)
    return "The program did not use the GPU: it made no CUDA call that needs one, so there is nothing to profile.";
  return "The program left by _exit, abort or exec, so its record is incomplete.";
}

Result<Profile::Run> Profile::profile(const SortedWords& words) {
  ProgramStart start = TRY(prepare(words));
  const fs::path records = folder_->path() / "counts";
  std::error_code error;
  fs::remove(records, error);
  TRY(device());
  perf::Profile measured;
  std::optional<ChildEnd> on_gpu;
  if (gpu_) {
    on_gpu = TRY(measure(start, measured));
    if (!quiet_) progress_.show("counting on the virtual GPU");
  }
  const ChildEnd counted = TRY(run_program(start, records));
  progress_.clear();
  const ChildEnd end = on_gpu.value_or(counted);
  std::string text;
  if (fs::exists(records, error)) text = TRY(toolchain::read_file(records));
  Run run{perf::read_records(text), 0};
  if (on_gpu) {
    run.profile.measured_on = std::move(measured.measured_on), run.profile.measured = std::move(measured.measured);
    run.profile.hardware = std::move(measured.hardware);
    run.profile.why_no_hardware = std::move(measured.why_no_hardware);
    if (on_gpu->ok() && !counted.ok())
      run.profile.not_counted.push_back(
          "the program ends well on the GPU and not on the virtual GPU: run it without --on=gpu to see why");
  }
  run.profile.program = words.sources.empty() ? words.program[0] : words.sources[0];
  ask_ptxas_for_registers(run.profile, start.file, start.modules, *TRY(device()));
  run.cut_short = why_cut_short(run.profile, text.empty(), counted);
  constexpr int kSignalled = 128;  // as shells report it
  run.exit_code = end.signal != 0 ? kSignalled + end.signal : end.exit_code;
  return run;
}

// Creates the folder for a file of --save; a run of the history needs none.
Result<void> make_folder_of(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) return Error{"U0002", fmt::format("cannot make the folder `{}`: {}", folder.string(), error.message())};
  return {};
}

// The same flags and arguments, and the other source or program.
SortedWords Profile::words_of_other() const {
  SortedWords words = words_;
  std::erase_if(words.compiler, [&](const std::string& w) {
    return std::find(words_.sources.begin(), words_.sources.end(), w) != words_.sources.end();
  });
  if (words.sources.empty() && !words.program.empty()) words.program.erase(words.program.begin());
  words.sources.clear();
  if (toolchain::kind_of_source(other_) != toolchain::SourceKind::Other) {
    words.sources.push_back(other_);
    words.compiler.push_back(other_);
  } else {
    words.program.insert(words.program.begin(), other_);
  }
  return words;
}

Result<void> Profile::write(const std::string& file, const std::string& text) const {
  if (file != "-") return toolchain::write_file(file, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0) return Error{"U0002", "the report cannot be written to standard output"};
  return {};
}

void Profile::report_text(const Run& run) {
  if (!run.cut_short.empty()) fmt::print(stderr, "{}\n", run.cut_short);
  if (!run.cut_short.empty() && run.profile.launches.empty()) return;
  perf::Profile shown = run.profile;
  shown.complete = true;  // the sentence above says what is missing
  fmt::print(stderr, "{}",
             counters_ ? perf::counters_to_text(shown, lines_)
                       : perf::to_text(perf::analyse(shown, *device_), {use_color(stderr), lines_}));
}

Result<void> Profile::report(const Run& run) {
  const perf::Profile& profile = run.profile;
  const perf::Analysis analysis = perf::analyse(profile, *TRY(device()));
  const bool side_by_side = !other_.empty() || !baseline_.empty();
  if (!quiet_ && !side_by_side) report_text(run);
  if (!json_.empty() && !side_by_side) {
    auto json = parse_json<nlohmann::ordered_json>(perf::counters_to_json(profile));
    json["model"] = perf::to_json(analysis);
    json["report"] = perf::to_json(provenance());
    TRY(write(json_, dump_json(json, 2) + "\n"));
  }
  if (!html_.empty() && !side_by_side) TRY(write(html_, perf::to_html(analysis, provenance())));
  if (!csv_.empty()) TRY(write(csv_, perf::to_csv(analysis)));
  if (!timeline_.empty()) {
    const perf::Timeline timeline = perf::timeline_of(analysis);
    TRY(write(timeline_, timeline.json));
    if (timeline.launches_without_blocks > 0 && !quiet_)
      fmt::print(stderr, "{}: {} of {} launches are drawn without their blocks: a viewer could not open them all\n",
                 timeline_, timeline.launches_without_blocks, profile.launches.size());
  }
  return {};
}

Result<void> Profile::keep(const perf::Profile& profile) {
  const std::string kept = TRY(keep_profile(save_, perf::analyse(profile, *TRY(device())),
                                            words_.sources.empty() ? words_.program[0] : words_.sources[0]));
  if (!quiet_) fmt::print(stderr, "{}\n", kept);
  return {};
}

Result<void> Profile::report(const perf::Comparison& comparison) const {
  if (!quiet_) fmt::print(stderr, "{}", perf::to_text(comparison, use_color(stderr)));
  if (!json_.empty()) {
    nlohmann::ordered_json json = perf::to_json(comparison);
    json["report"] = perf::to_json(provenance());
    TRY(write(json_, dump_json(json, 2) + "\n"));
  }
  if (!html_.empty()) TRY(write(html_, perf::to_html(comparison, provenance())));
  return {};
}

Result<int> Profile::against(const perf::Profile& before, const perf::Profile& profile, int exit_code) {
  const device::Properties& gpu = *TRY(device());
  const perf::Analysis then = perf::analyse(before, gpu), now = perf::analyse(profile, gpu);
  const perf::Comparison comparison = perf::compare(then, now);
  TRY(report(comparison));
  const std::vector<std::string> worse = perf::regressions(comparison, threshold_ / 100);
  for (const std::string& what : worse) fmt::print(stderr, "worse: {}\n", what);
  if (exit_code == kGotWorse)
    return Error{"U0005",
                 fmt::format("the program ended with exit code {0}, which with --baseline means \"worse than the "
                             "baseline\": let it end with another code",
                             int{kGotWorse})};
  return exit_code == 0 && !worse.empty() ? int{kGotWorse} : exit_code;
}

Result<int> Profile::run() {
  if (shows_history_) {
    TRY(show_kept_profiles(history_, kernel_, json_));
    return int{kSuccess};
  }
  std::error_code error;
  folder_ = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  TRY(device());
  if (gpu_ && (!other_.empty() || !baseline_.empty()))
    return Error{"U0005",
                 "--vs and --baseline compare modelled times, and --on=gpu asks for measured ones: `warpwise bench` "
                 "compares these"};
  // Both happen before the program runs, which may take long. The baseline is also read before --save adds to the
  // history.
  TRY(make_folder_of(save_));
  std::optional<perf::Profile> baseline;
  if (!baseline_.empty()) baseline = TRY(kept_profile(baseline_, *TRY(device())));
  const Run run = TRY(profile(words_));
  TRY(report(run));
  if (!save_.empty()) TRY(keep(run.profile));
  if (baseline) return against(*baseline, run.profile, run.exit_code);
  if (other_.empty()) return run.exit_code;
  const Run other = TRY(profile(words_of_other()));
  const device::Properties& gpu = *TRY(device());
  const perf::Analysis before = perf::analyse(run.profile, gpu), after = perf::analyse(other.profile, gpu);
  TRY(report(perf::compare(before, after)));
  return run.exit_code != 0 ? run.exit_code : other.exit_code;
}

}  // namespace

std::unique_ptr<Command> make_profile() { return std::make_unique<Profile>(); }

}  // namespace warpwise::cli
