#include "lab/judge/judge.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <set>
#include <thread>
#include <utility>

#include "base/sanitized.h"
#include "device/device_file.h"
#include "device/properties.h"
#include "exec/loading/compiler_plugin.h"
#include "lab/judge/assess.h"
#include "lab/judge/compile_submission.h"
#include "lab/judge/judging_child.h"
#include "lab/judge/notes.h"
#include "lab/judge/record_case.h"
#include "lab/judge/shrink.h"
#include "lab/judge/submission.h"
#include "lab/sandbox/confine_self.h"
#include "lab/sandbox/job.h"
#include "lab/trial/kernel_trial.h"
#include "lab/trial/solve_trial.h"
#include "lab/trial/unwritten_contents.h"
#include "toolchain/files.h"
#include "toolchain/messages.h"
#include "toolchain/source_check.h"

namespace warpwise::lab {
namespace {

using Checks = TestDeviceOptions::Checks;
using Clock = std::chrono::steady_clock;

// This thread, and the processes that it starts, get less where there are few processors. (Linux counts that by
// thread.)
void let_others_go_first() {
  constexpr int kLater = 5;
  const auto self = static_cast<id_t>(gettid());
  (void)setpriority(PRIO_PROCESS, self, getpriority(PRIO_PROCESS, self) + kLater);
}

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The time that a judgement may take beyond its launches: compiling kernels, preparation.
constexpr double kMoreSeconds = 30;

// The large case under its checkers, to its time without any.
constexpr double kCheckedSlowdown = 4;

// The most for a case that is not timed, in seconds. All solutions need less than a tenth of it, under all checkers. A
// loop that never ends is then reported within four seconds, also where the problem allows more for its large case.
constexpr double kSmallCaseSeconds = 2;

// The large case beside the small ones may take longer.
constexpr double kPatienceBesideOthers = 2;

// Limits are meant for a machine without other work. If processes wait for processors, the clock continues while they
// wait.
double patience_now() {
  constexpr double kMost = 8;
  double load = 0;
  if (getloadavg(&load, 1) != 1) return kSlowdown;
  return kSlowdown * std::clamp(load / std::max(1u, std::thread::hardware_concurrency()), 1.0, kMost);
}

class Judge {
 public:
  Judge(const Problem& problem, const std::filesystem::path& source, const JudgeOptions& options)
      : problem_(problem), source_(source), options_(options) {
    judgement_.problem = problem.slug;
    judgement_.seed = options.seed;
  }

  Result<Judgement> run() {
    const auto start = Clock::now();
    const std::string text = TRY(read_submission(source_));
    auto done = is_no_source(text) || forbidden(text) ? Result<void>() : try_it();
    if (!done) return done.error();
    add_notes(problem_, text, judgement_);
    judgement_.seconds = since(start);
    if (!options_.recording.file.empty()) TRY(record());
    return std::move(judgement_);
  }

 private:
  // A binary, an empty file, a letter: a compiler answers with pages that do not say so.
  bool is_no_source(const std::string& text) {
    const std::string name = source_.filename().string();
    if (auto source = toolchain::check_text(name, text); !source) {
      refuse(Verdict::DoesNotCompile, source.error().message);
    } else if (text.size() <= kMostSourceBytes && without_comments(text).find_first_of("{#;") == text.npos) {
      refuse(Verdict::DoesNotCompile, fmt::format("`{}` is not CUDA C++: it has no statement and no function", name));
    } else {
      return false;
    }
    judgement_.refusal->next = fmt::format("is it the file that you mean? It should have `{}`", problem_.signature());
    return true;
  }

  bool forbidden(const std::string& text) {
    if (text.size() > kMostSourceBytes) {
      refuse(Verdict::Forbidden, fmt::format("the source is larger than {} MiB", kMostSourceBytes >> 20));
      judgement_.refusal->next =
          "a solution takes a few kilobytes: leave out tables of numbers, and compute what the code needs of them";
      return true;
    }
    SubmissionFiles files = files_of(source_, text, options_.own_headers);
    if (files.refused_neighbour) {
      refuse(
          Verdict::Forbidden,
          fmt::format("{}: the folder is not of one person alone, so a header in it does not count as the file's own",
                      files.refused));
      judgement_.refusal->next =
          "give each person a folder (ada/map.cu, ada/tiles.cuh) or an archive; or paste the header into the file";
      return true;
    }
    if (!files.refused.empty()) {
      refuse_file(files.refused);
      return true;
    }
    auto what = find_forbidden(problem_, text);
    judgement_.sources = {std::filesystem::absolute(source_).lexically_normal().string()};
    for (const OwnHeader& header : files.headers) {
      headers_.push_back(header.path.lexically_normal().string());
      judgement_.sources.push_back(headers_.back());
      if (!what) what = find_forbidden(problem_, header.text);
    }
    if (!what) return false;
    refuse(Verdict::Forbidden, *what);
    return true;
  }

  void refuse_file(const std::string& what) {
    refuse(Verdict::Forbidden, fmt::format("{}: a submission may read headers of CUDA and C++{}, and no other file",
                                           what, options_.own_headers ? " and those beside it" : ""));
    judgement_.refusal->next = "paste what the file needs from there into the file itself";
  }

  void refuse(Verdict verdict, std::string message) {
    judgement_.verdict = verdict;
    judgement_.refusal.emplace();
    judgement_.refusal->message = std::move(message);
  }

  bool wanted(const CaseSpec& spec) const {
    if (options_.samples_only) return spec.sample;
    if (options_.only_timed) return spec.timed;
    return true;
  }

  Result<void> try_it() {
    // The compilers are processes, LLVM is a library that takes a while to load, and inputs are made here: all of this
    // happens side by side. The program for checkers takes longest, because the one that is timed shares its host half;
    // all else fills what it leaves of the processors. All threads have ended before the judge forks.
    bool timed = false, checked = false;
    for (const CaseSpec& spec : problem_.cases) (spec.timed ? timed : checked) |= wanted(spec);
    gpu_ = TRY(device::device_named(options_.device));
    const unsigned architecture = gpu_->major * 10 + gpu_->minor;
    const auto start = Clock::now();
    Result<void> for_checkers, optimised;
    std::thread compile_checked([&] {
      if (checked) for_checkers = compile(toolchain::BuildPurpose::Check, architecture, checked_);
    });
    std::thread compile_timed([&] {
      let_others_go_first();
      if (timed && !options_.likely_refused) optimised = compile_for_time(architecture);
    });
    std::thread load([] {
      let_others_go_first();
      // What LLVM does once in a process is done before the children, which would do it each.
      if (auto compiler = exec::compiler_plugin("").open()) (void)(*compiler)->fingerprint({});
    });
    Result<void> made;
    std::thread make([&] {
      let_others_go_first();
      made = make_trials();
    });
    compile_checked.join();
    compile_timed.join();
    load.join();
    make.join();
    judgement_.compile_seconds = since(start);
    TRY(std::move(made));
    TRY(std::move(for_checkers));
    TRY(std::move(optimised));
    TRY(take_host_half());
    const Compiled& compiled = checked ? checked_ : optimised_;
    if (!compiled.compiled && !compiled.forbidden.empty()) {
      refuse_file(compiled.forbidden);
      return {};
    }
    if (!compiled.compiled) {
      refuse(compiled.program.missing_entry ? Verdict::WrongSignature : Verdict::DoesNotCompile, compiled.messages);
      judgement_.refusal->next = compiled.next;
      return {};
    }
    judgement_.compiler_messages = compiled.messages;
    warn_of_variables(compiled.messages);
    return run_trials();
  }

  // Scalars live in registers, where no checker sees that they have no value.
  void warn_of_variables(const std::string& messages) {
    constexpr size_t kMost = 3;
    for (const toolchain::CompilerWarning& warning : toolchain::uninitialised_variables(messages)) {
      if (judgement_.warnings.size() == kMost) return;
      judgement_.warnings.push_back(fmt::format("{}:{}: {} (says the compiler)",
                                                std::filesystem::path(warning.file).filename().string(), warning.line,
                                                warning.text));
    }
  }

  // What a submission becomes, by its problem's kind.
  struct Compiled {
    bool compiled = false;
    std::string messages;
    std::string forbidden;
    std::string next;      // what to do, where the verdict's own advice does not fit
    std::string ptx;       // kernel
    SolveProgram program;  // solve
  };
  CompileOptions compile_options(toolchain::BuildPurpose purpose, unsigned architecture) const {
    return {purpose, architecture, options_.compiler, headers_, options_.sandbox, patience_};
  }
  Result<void> compile(toolchain::BuildPurpose purpose, unsigned architecture, Compiled& out) const {
    if (problem_.kind == Kind::Kernel) {
      CompiledSubmission made = TRY(compile_device_half(source_, compile_options(purpose, architecture)));
      out = {made.compiled,        std::move(made.messages), std::move(made.forbidden),
             std::move(made.next), std::move(made.ptx),      {}};
      return {};
    }
    out.program = TRY(build_solve_program(problem_, source_, compile_options(purpose, architecture)));
    out.compiled = out.program.compiled;
    out.messages = out.program.messages;
    out.forbidden = out.program.forbidden;
    out.next = out.program.next;
    return {};
  }

  // The host half of the checked program serves the timed run as well, so that Clang compiles the device half alone.
  // nvcc's programs hold their device code.
  bool shares_host_half() const {
    return problem_.kind == Kind::Solve && options_.compiler == toolchain::CompilerChoice::Clang &&
           !options_.only_timed;
  }
  Result<void> compile_for_time(unsigned architecture) {
    if (!shares_host_half()) return compile(toolchain::BuildPurpose::Run, architecture, optimised_);
    const CompileOptions options = compile_options(toolchain::BuildPurpose::Run, architecture);
    CompiledSubmission made = TRY(compile_device_half(source_, options, TRY(words_for_solve(source_))));
    optimised_ = {made.compiled,        std::move(made.messages), std::move(made.forbidden),
                  std::move(made.next), std::move(made.ptx),      {}};
    return {};
  }
  Result<void> take_host_half() {
    if (!shares_host_half() || !checked_.compiled || !optimised_.compiled) return {};
    optimised_.program = TRY(with_device_code(checked_.program, optimised_.ptx));
    // A program that holds its device code.
    if (!optimised_.program.compiled)
      TRY(compile(toolchain::BuildPurpose::Run, gpu_->major * 10 + gpu_->minor, optimised_));
    return {};
  }

  Result<void> make_trials() {
    reference_ = TRY(Reference::open(problem_));
    for (const CaseSpec& spec : problem_.cases) {
      if (!wanted(spec)) continue;
      const uint64_t seed = seed_of_case(options_.seed, spec);
      trials_.push_back(TRY(make_trial(problem_, *reference_, spec, draw_sizes(spec, seed), seed)));
    }
    return {};
  }

  double seconds_of_case(Checks checks) const {
    if (checks == Checks::All) return std::min(problem_.seconds, kSmallCaseSeconds);
    return problem_.seconds * (checks == Checks::Bounds ? kCheckedSlowdown : 1);
  }

  Result<TrialResult> run_one(const Trial& trial, const TrialMemory& memory, Checks checks, double patience,
                              std::optional<uint8_t> unwritten) const {
    const Compiled& compiled = checks == Checks::All ? checked_ : optimised_;
    TestDeviceOptions test_options{.device = options_.device,
                                   .seconds = seconds_of_case(checks),
                                   .patience = patience,
                                   .checks = checks,
                                   .unwritten = unwritten,
                                   .profile = {}};
    if (profile_folder_ && checks != Checks::All && !unwritten)
      test_options.profile = profile_folder_->path() / "counts";
    if (problem_.kind == Kind::Kernel) return run_kernel_trial(compiled.ptx, trial, memory, test_options);
    // The program starts before the walls are built, because they allow no new process.
    return run_solve_trial(
        compiled.program, trial, memory, test_options,
        {.sandbox = options_.sandbox,
         .program_started = [this, &trial] { return trial.spec->timed ? confine() : Result<void>(); },
         .series = checks == Checks::All && options_.sandbox ? &series_ : nullptr});
  }

  // In a child: from here on the process can do only what running kernels needs.
  Result<void> confine() const {
    if (!options_.sandbox) return {};
    if (code_folder_) setenv("WARPWISE_CACHE_DIR", code_folder_->path().c_str(), 1);
    std::vector<std::string> readable = sandbox::system_folders(),
                             writable = {toolchain::Cache::from_environment().root().string()};
    readable.push_back(toolchain::Installation::find().libraries);
    readable.push_back(std::filesystem::absolute(source_)
                           .string());  // where the checker of barriers looks for conditions (insert_sync_events.h)
    readable.insert(readable.end(), headers_.begin(), headers_.end());
    for (const auto* folder : {&profile_folder_, &record_folder_})
      if (*folder) writable.push_back((*folder)->path());
    return sandbox::confine_self(std::move(readable), std::move(writable));
  }

  // Trials of one kind: all fully checked, or the large one.
  ChildJob job_of(std::span<const Trial> trials, Checks checks, bool beside_others = false,
                  std::optional<uint8_t> unwritten = {}) const {
    const double patience = beside_others ? kPatienceBesideOthers * patience_ : patience_;
    return {
        .trials = trials,
        .prepare = [this] { return problem_.kind == Kind::Kernel ? confine() : Result<void>(); },
        .run = [=, this](const Trial& t, const TrialMemory& m) { return run_one(t, m, checks, patience, unwritten); },
        .go_on = [](const TrialResult& r) { return !is_fatal(r); },
        .seconds = patience * (kMoreSeconds + seconds_of_case(checks) * double(trials.size()))};
  }

  // The large case needs nothing of the small ones but their verdict, so it begins at once, beside them. A file that
  // will be refused loses little: its children end with the verdict.
  Result<void> start_large_case() {
    if (options_.only_timed || options_.likely_refused || std::thread::hardware_concurrency() < 2) return {};
    const size_t index = trials_.size() - 1;
    if (index == 0 || !trials_[index].spec->timed || trials_[index - 1].spec->timed) return {};
    large_.emplace(TRY(
        JudgingChild::start(job_of(std::span(trials_).subspan(index, 1), Checks::Bounds, /*beside_others=*/true), {})));
    return {};
  }

  Result<Finished> run_all(std::span<const Trial> trials, Checks checks, const TrialEnded& goes_on = {}) {
    auto idle = [this] {
      for (auto* child : {&large_, &next_small_})
        if (*child) (*child)->enforce_limits();
    };
    if (checks == Checks::Bounds && large_) {
      JudgingChild child = std::move(*large_);
      large_.reset();
      return child.finish(goes_on, idle);
    }
    JudgingChild child = TRY(take_next(trials, checks));
    if (options_.meanwhile && !std::exchange(has_done_meanwhile_, true)) options_.meanwhile();
    return child.finish(goes_on, idle);
  }

  Result<JudgingChild> start_child(ChildJob job) {
    std::vector<JudgingChild*> earlier;
    for (auto* child : {&large_, &next_small_})
      if (*child) earlier.push_back(&**child);
    return JudgingChild::start(std::move(job), earlier);
  }

  // The small cases of a kernel often have blocks of several shapes, and code is compiled for each, which takes longer
  // than all else that happens to them. So those of the next shape are begun beside those of this one, by another
  // child. (The program of a `solve` problem has a shape of its own choice, mostly one.)
  bool begins_next() const {
    return problem_.kind == Kind::Kernel && !options_.likely_refused && std::thread::hardware_concurrency() > 1;
  }
  // The first trial from `first` on whose blocks have a shape that none before it has.
  size_t end_of_shape(size_t first, size_t last) const {
    if (!begins_next() || trials_[first].spec->timed) return last;
    auto is_known = [&](size_t i) {
      return std::any_of(trials_.begin(), trials_.begin() + ptrdiff_t(i), [&](const Trial& before) {
        return before.shape.launch.block == trials_[i].shape.launch.block;
      });
    };
    size_t end = first + 1;
    while (end < last && is_known(end)) ++end;
    return end;
  }
  Result<JudgingChild> take_next(std::span<const Trial> trials, Checks checks) {
    // A smaller case, which is looked for when one has been refused, is none of the problem's.
    const bool is_shrunk =
        std::less<>()(trials.data(), trials_.data()) || !std::less<>()(trials.data(), trials_.data() + trials_.size());
    if (is_shrunk) next_small_.reset();
    if (checks != Checks::All || is_shrunk || !begins_next()) return start_child(job_of(trials, checks));
    std::optional<JudgingChild> begun;
    if (next_small_ && next_trials_.data() == trials.data() && next_trials_.size() == trials.size())
      begun.emplace(std::move(*next_small_));
    next_small_.reset();
    if (!begun) begun.emplace(TRY(start_child(job_of(trials, checks))));
    const size_t next = size_t(trials.data() + trials.size() - trials_.data());
    if (next == trials_.size() || trials_[next].spec->timed) return std::move(*begun);
    size_t last = next;
    while (last < trials_.size() && !trials_[last].spec->timed) ++last;
    next_trials_ = std::span(trials_).subspan(next, end_of_shape(next, last) - next);
    std::vector<JudgingChild*> earlier{&*begun};
    if (large_) earlier.push_back(&*large_);
    next_small_.emplace(TRY(JudgingChild::start(job_of(next_trials_, checks), earlier)));
    return std::move(*begun);
  }

  Result<void> run_trials() {
    std::error_code error;
    const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
    if (options_.sandbox && !options_.trusted) code_folder_ = TRY(toolchain::TemporaryFolder::create(temporary));
    if (options_.modelled) profile_folder_ = TRY(toolchain::TemporaryFolder::create(temporary));
    std::stable_partition(trials_.begin(), trials_.end(), [](const Trial& trial) { return !trial.spec->timed; });
    TRY(start_large_case());
    for (size_t first = 0; first < trials_.size() && goes_on();) {
      size_t last = first + 1;
      if (trials_[first].spec->timed && options_.likely_refused) {
        TRY(compile_for_time(gpu_->major * 10 + gpu_->minor));
        TRY(take_host_half());
      }
      while (last < trials_.size() && !trials_[first].spec->timed && !trials_[last].spec->timed) ++last;
      const bool timed = trials_[first].spec->timed;
      const bool judged = timed && !options_.only_timed && TRY(judge_large(first));
      if (!judged) TRY(run_trials(first, last, timed ? Checks::None : Checks::All));
      first = last;
    }
    return {};
  }

  // With all_cases, the judge stops only where the other cases would tell nothing new, or take the whole time limit
  // each.
  bool goes_on() const { return judgement_.accepted() || (options_.all_cases && !ended_); }

  // A case that is too large for all checkers: accesses out of bounds and uninitialised reads alone, counted for the
  // model. Code that ends within the problem's time under these would do so without. False: a run without checkers must
  // judge the case. What could not be checked, because it takes too much time or memory, is no refusal: it is reported.
  Result<bool> judge_large(size_t index) {
    const Trial& trial = trials_[index];
    const Finished finished = TRY(run_all(std::span(trials_).subspan(index, 1), Checks::Bounds));
    const TrialResult& result = finished.results[0];
    const bool ended_early = !has_ended(result);
    if (ended_early && !finished.broken.empty()) return Error{"L0009", finished.broken};
    if (ended_early || result.failure == device::Failure::LaunchTimeout) {
      unchecked_ = fmt::format("case `{}` for bounds and uninitialised reads: that takes too long", trial.spec->name);
      return false;
    }
    Assessment assessment = TRY(assess(trial, *reference_, result, finished.arrays[0], /*budgets=*/false));
    if (auto harmless = TRY(without_effect(assessment, trial, result, finished.arrays[0], Checks::Bounds)))
      assessment = std::move(*harmless);
    if (assessment.verdict == Verdict::Accepted && result.seconds > problem_.seconds) {
      add_warnings(assessment.warnings);
      return false;
    }
    take(std::move(assessment), result);
    if (judgement_.accepted() && !result.profile.empty()) model(trial, result.profile);
    return true;
  }

  // False for a trial that the child did not finish.
  static bool has_ended(const TrialResult& result) {
    return result.ran || result.bad_entry || result.failure != device::Failure::None;
  }

  void add_warnings(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings)
      if (std::find(judgement_.warnings.begin(), judgement_.warnings.end(), warning) == judgement_.warnings.end())
        judgement_.warnings.push_back(warning);
  }

  // A trial that is refused for reads of memory that nothing has written, and for nothing else: where its results are
  // the same whatever such memory holds, a warning is enough. Nothing where they depend on it.
  Result<std::optional<Assessment>> without_effect(const Assessment& refused, const Trial& trial,
                                                   const TrialResult& result, const TrialMemory& memory,
                                                   Checks checks) {
    std::optional<Assessment> none;
    if (refused.verdict != Verdict::Uninitialised) return none;
    TrialResult others = result;
    std::erase_if(others.findings, reads_what_nothing_wrote);
    Assessment again = TRY(assess(trial, *reference_, others, memory, checks == Checks::All && !options_.samples_only));
    if (again.verdict != Verdict::Accepted && again.verdict != Verdict::OverBudget) return none;
    for (const uint8_t content : kUnwrittenContents) {
      JudgingChild child = TRY(start_child(job_of(std::span(&trial, 1), checks, false, content)));
      const Finished finished = TRY(child.finish());
      if (!finished.results[0].ran || finished.results[0].failure != device::Failure::None) return none;
      for (size_t i = 0; i < memory.after.size(); ++i)
        if (!std::ranges::equal(memory.contents(trial, i), finished.arrays[0].contents(trial, i))) return none;
    }
    for (const Finding& finding : result.findings)
      if (reads_what_nothing_wrote(finding))
        again.warnings.push_back(fmt::format("{}reads memory that nothing has written; no output depends on it ({})",
                                             place_in_front(finding), finding.code));
    return std::optional(std::move(again));
  }

  // Cases are told once, accepted ones before those behind them have ended.
  void tell(const CaseReport& report) {
    if (options_.case_ended && told_.insert(report.name).second) options_.case_ended(report);
  }

  // What is known of a trial. The first refusal is the verdict; those behind it count for their cases alone. True: this
  // is the first.
  bool take(Assessment assessment, const TrialResult& result) {
    constexpr int kMostSlowCases = 2;
    judgement_.cases.push_back(std::move(assessment.report));
    tell(judgement_.cases.back());
    const bool before = !judgement_.accepted();
    if (!before) {
      judgement_.not_checked = result.not_checked;
      if (!unchecked_.empty()) judgement_.not_checked.push_back(unchecked_);
      judgement_.printed = result.printed;
    }
    add_warnings(assessment.warnings);
    if (assessment.verdict == Verdict::Accepted) return false;
    slow_cases_ += assessment.verdict == Verdict::TooSlow;
    ended_ = ended_ || assessment.verdict == Verdict::Forbidden || assessment.verdict == Verdict::DoesNotCompile ||
             assessment.verdict == Verdict::WrongSignature || slow_cases_ >= kMostSlowCases;
    if (before) return false;
    judgement_.verdict = assessment.verdict;
    judgement_.refusal = std::move(assessment.refusal);
    return true;
  }

  // A child ends with the trial that fails in it; with all_cases another one runs the rest.
  Result<void> run_trials(size_t first, size_t last, Checks checks) {
    while (first < last && goes_on()) first += TRY(run_some(first, end_of_shape(first, last), checks));
    next_small_.reset();
    return {};
  }

  // Each trial is assessed as soon as it has ended, because the first refused one decides: the others need not run.
  // Returns the number of trials that are judged then.
  Result<size_t> run_some(size_t first, size_t last, Checks checks) {
    std::vector<std::optional<Assessment>> assessments(last - first);  // of the trials that have ended
    Result<void> assessed;
    const Finished finished =
        TRY(run_all(std::span(trials_).subspan(first, last - first), checks,
                    [&](size_t i, const TrialResult& result, const TrialMemory& memory) {
                      if (!has_ended(result)) return true;
                      auto assessment = assess(trials_[first + i], *reference_, result, memory, !options_.samples_only);
                      if (!assessment) {
                        assessed = assessment.error();
                        return false;
                      }
                      assessments[i] = std::move(assessment).value();
                      if (assessments[i]->verdict == Verdict::Accepted) tell(assessments[i]->report);
                      return assessments[i]->verdict == Verdict::Accepted || options_.all_cases;
                    }));
    TRY(std::move(assessed));
    for (size_t i = first; i < last; ++i) {
      const TrialResult& result = finished.results[i - first];
      if (!assessments[i - first]) {
        // The trial before this one has ended the child.
        if (options_.all_cases && i > first && !judgement_.accepted()) return i - first;
        TRY(ended_early(finished, trials_[i], result));
        return i - first + 1;
      }
      // The child has ended with such a trial; the next one runs those behind it.
      if (auto harmless =
              TRY(without_effect(*assessments[i - first], trials_[i], result, finished.arrays[i - first], checks))) {
        take(std::move(*harmless), result);
        return i - first + 1;
      }
      if (take(std::move(*assessments[i - first]), result)) {
        // A loop that never ends needs no smaller case, and each that is tried takes its whole time.
        if (options_.shrink && judgement_.verdict != Verdict::TooSlow) TRY(shrink(i, checks));
      } else if (judgement_.accepted() && !result.profile.empty()) {
        model(trials_[i], result.profile);
      }
      if (!goes_on()) return i - first + 1;
    }
    return last - first;
  }

  void model(const Trial& trial, const std::string& records) {
    judgement_.performance = performance_of(records, *gpu_);
    if (!judgement_.performance) return;
    judgement_.performance->case_name = trial.spec->name;
    judgement_.performance->shape = trial.describe();
  }

  // The child did not finish this trial.
  Result<void> ended_early(const Finished& finished, const Trial& trial, const TrialResult& result) {
    if (!finished.broken.empty()) return Error{"L0009", finished.broken};
    Assessment assessment;
    assessment.verdict = finished.timed_out ? Verdict::TooSlow : Verdict::Crashed;
    assessment.report.name = trial.spec->name;
    assessment.report.shape = trial.describe();
    assessment.refusal.emplace();
    assessment.refusal->case_name = trial.spec->name;
    assessment.refusal->shape = trial.describe();
    assessment.refusal->message =
        finished.out_of_memory ? "the judge ended it: it took more memory than any kernel of this problem needs"
        : finished.timed_out   ? "the judge ended it: its time limit was reached"
                               : fmt::format("the process that ran it was ended by signal {}", finished.signal);
    take(std::move(assessment), result);
    return {};
  }

  Result<void> shrink(size_t refused, Checks checks) {
    // It has both cores to itself.
    large_.reset();
    const Trial& trial = trials_[refused];
    auto smaller = TRY(lab::shrink(trial, *reference_, judgement_.verdict,
                                   [&](const std::vector<Trial>& trials) { return run_all(trials, checks); }));
    if (!smaller) return {};
    smaller->refusal.shrunk = true;
    judgement_.refusal = std::move(smaller->refusal), shrunk_sizes_ = std::move(smaller->sizes);
    judgement_.printed = judgement_.refusal->printed;
    return {};
  }

  // A trial without checkers, in a child as all others, under what `options` say: a recorder, a profiler.
  Result<TrialResult> run_observed(const Trial& trial, TestDeviceOptions options) {
    options.device = options_.device, options.checks = Checks::None;
    options.seconds = seconds_of_case(Checks::All), options.patience = patience_;
    ChildJob job = job_of(std::span(&trial, 1), Checks::All);
    job.run = [&](const Trial& t, const TrialMemory& m) {
      if (problem_.kind == Kind::Kernel) return run_kernel_trial(checked_.ptx, t, m, options);
      return run_solve_trial(checked_.program, t, m, options, {.sandbox = options_.sandbox, .program_started = {}});
    };
    JudgingChild child = TRY(start_child(std::move(job)));
    const Finished finished = TRY(child.finish());
    if (!finished.broken.empty()) return Error{"L0009", finished.broken};
    return finished.results.empty() ? TrialResult{} : finished.results[0];
  }

  // The case that the verdict is about once more, under a recorder in place of checkers, and under a profiler. The
  // children write into a folder of its own; what it left there is read as what it is, untrusted.
  Result<void> record() {
    if (judgement_.cases.empty())
      return Error{"L0010",
                   fmt::format("there is no case to record: the verdict is `{}`", words_of(judgement_.verdict))};
    const Trial trial =
        TRY(trial_to_record(problem_, *reference_, trials_, judgement_, shrunk_sizes_, options_.recording.like));
    const bool like = options_.recording.like.has_value();
    const RecordedCase recorded = like ? *options_.recording.like : what_to_record(trial, judgement_);
    std::error_code error;
    record_folder_ = TRY(toolchain::TemporaryFolder::create(std::filesystem::temp_directory_path(error)));
    const std::filesystem::path steps = record_folder_->path() / "steps";
    TestDeviceOptions recorder{.profile = {}, .record = request_of(recorded, trial, steps), .order = recorded.order};
    TRY(run_observed(trial, std::move(recorder)));
    const TestDeviceOptions profiler{
        .profile = record_folder_->path() / "counts", .whole_profile = true, .order = recorded.order};
    const TrialResult counted = TRY(run_observed(trial, profiler));
    trace::Completion completion;
    completion.command = options_.recording.command, completion.tool = options_.recording.tool;
    completion.device = gpu_->id;
    add_counts(completion, counted.profile, recorded.kernel, *gpu_);
    return complete_recording(trial, judgement_, recorded, like, std::move(completion), steps, options_.recording.file);
  }

  const Problem& problem_;
  const std::filesystem::path source_;
  const JudgeOptions options_;
  std::vector<std::string> headers_;  // of the submission's own
  std::optional<Reference> reference_;
  std::vector<Trial> trials_;
  const device::Properties* gpu_ = nullptr;
  const double patience_ = patience_now();
  Compiled checked_, optimised_;
  std::string unchecked_;  // what was not checked of the large case; "": nothing
  int slow_cases_ = 0;     // that ran into the time limit
  bool ended_ = false;     // with all_cases: the cases behind a refused one are not tried
  // The cache of untrusted children: entries that their kernels may have changed serve only this judgement.
  std::optional<toolchain::TemporaryFolder> code_folder_;
  std::optional<toolchain::TemporaryFolder> profile_folder_;  // the counts of the timed case, where they are needed
  std::optional<JudgingChild> large_;                         // begun beside the small cases
  std::optional<JudgingChild> next_small_;                    // begun beside others of them,
  std::span<const Trial> next_trials_;                        // with these trials
  std::optional<Numbers> shrunk_sizes_;                       // of the smallest case that was found
  std::optional<toolchain::TemporaryFolder> record_folder_;
  std::set<std::string> told_;  // the cases of case_ended
  bool has_done_meanwhile_ = false;
  mutable sandbox::Series series_;  // of the child that runs the small cases, each child its own
  Judgement judgement_;
};

}  // namespace

Result<Judgement> judge(const Problem& problem, const std::filesystem::path& source, const JudgeOptions& options) {
  return Judge(problem, source, options).run();
}

}  // namespace warpwise::lab
