#include "lab/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/sanitized.h"
#include "device/device_file.h"
#include "device/properties.h"
#include "exec/loading/compiler_plugin.h"
#include "lab/judge/assess.h"
#include "lab/judge/compile_submission.h"
#include "lab/judge/judging_child.h"
#include "lab/judge/shrink.h"
#include "lab/judge/signature.h"
#include "lab/judge/submission.h"
#include "lab/sandbox/confine_self.h"
#include "lab/sandbox/job.h"
#include "lab/trial/kernel_trial.h"
#include "lab/trial/solve_trial.h"
#include "toolchain/files.h"

namespace warpwise::lab {
namespace {

using Checks = TestDeviceOptions::Checks;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The time that a judgement may take beyond its launches: compiling kernels, preparation.
constexpr double kMoreSeconds = 30;

// The large case under its checkers, to its time without any.
constexpr double kCheckedSlowdown = 4;

// The most for a case that is not timed, in seconds. All solutions need less than a tenth of it, under all checkers. A
// loop that never ends is then reported within four seconds, also where the problem allows more for its large case.
constexpr double kSmallCaseSeconds = 2;

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
    auto done = forbidden(text) ? Result<void>() : try_it();
    if (!done) return done.error();
    if (judgement_.refusal) explain_signature(text);
    judgement_.seconds = since(start);
    return std::move(judgement_);
  }

 private:
  bool forbidden(const std::string& text) {
    if (text.size() > kMostSourceBytes) {
      refuse(Verdict::Forbidden, fmt::format("the source is larger than {} MiB", kMostSourceBytes >> 20));
      return true;
    }
    SubmissionFiles files = files_of(source_, text);
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
    refuse(
        Verdict::Forbidden,
        fmt::format("{}: a submission may read headers of CUDA and C++ and those beside it, and no other file", what));
    judgement_.refusal->next = "paste what the file needs from there into the file itself";
  }

  // A parameter that differs from the problem's is often why a launch goes wrong.
  void explain_signature(const std::string& text) {
    Refusal& refusal = *judgement_.refusal;
    const OwnSignature own = signature_in(text, problem_.entry);
    switch (judgement_.verdict) {
      case Verdict::DoesNotCompile:
        if (problem_.kind == Kind::Kernel && own.found && !own.kernel &&
            refusal.message.starts_with("there is no kernel"))
          refusal.notes.push_back(
              fmt::format("`{}` is a function here: a kernel has __global__ before it", problem_.entry));
        [[fallthrough]];
      case Verdict::Crashed:
      case Verdict::OutOfBounds:
      case Verdict::Uninitialised:
      case Verdict::ChangedInput:
      case Verdict::Unwritten:
      case Verdict::WrongValue:
        for (std::string& note : differences(problem_, own)) refusal.notes.push_back(std::move(note));
        break;
      default:
        break;
    }
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
    // happens side by side. All threads have ended before the judge forks.
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
      if (timed && !options_.likely_refused)
        optimised = compile(toolchain::BuildPurpose::Run, architecture, optimised_);
    });
    std::thread load([] { (void)exec::compiler_plugin("").open(); });
    auto made = make_trials();
    compile_checked.join();
    compile_timed.join();
    load.join();
    judgement_.compile_seconds = since(start);
    TRY(std::move(made));
    TRY(std::move(for_checkers));
    TRY(std::move(optimised));
    const Compiled& compiled = checked ? checked_ : optimised_;
    if (!compiled.compiled && !compiled.forbidden.empty()) {
      refuse_file(compiled.forbidden);
      return {};
    }
    if (!compiled.compiled) {
      refuse(Verdict::DoesNotCompile, compiled.messages);
      judgement_.refusal->next = compiled.next;
      return {};
    }
    judgement_.compiler_messages = compiled.messages;
    return run_trials();
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
    return {purpose, architecture, options_.compiler, headers_, options_.sandbox};
  }
  Result<void> compile(toolchain::BuildPurpose purpose, unsigned architecture, Compiled& out) const {
    if (problem_.kind == Kind::Kernel) {
      CompiledSubmission made = TRY(compile_device_half(source_, compile_options(purpose, architecture)));
      out = {made.compiled, std::move(made.messages), std::move(made.forbidden), {}, std::move(made.ptx), {}};
      return {};
    }
    out.program = TRY(build_solve_program(problem_, source_, compile_options(purpose, architecture)));
    out.compiled = out.program.compiled;
    out.messages = out.program.messages;
    out.forbidden = out.program.forbidden;
    out.next = out.program.next;
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

  double seconds_of_case() const {
    if (checks_ == Checks::All) return std::min(problem_.seconds, kSmallCaseSeconds);
    return problem_.seconds * (checks_ == Checks::Bounds ? kCheckedSlowdown : 1);
  }

  Result<TrialResult> run_one(const Trial& trial, const TrialMemory& memory) const {
    const bool timed = checks_ == Checks::None;
    const Compiled& compiled = timed ? optimised_ : checked_;
    TestDeviceOptions test_options{.device = options_.device,
                                   .seconds = seconds_of_case(),
                                   .patience = patience_,
                                   .checks = checks_,
                                   .profile = {}};
    if (profile_folder_ && timed) test_options.profile = profile_folder_->path() / "counts";
    if (problem_.kind == Kind::Kernel) return run_kernel_trial(compiled.ptx, trial, memory, test_options);
    // The program starts before the walls are built, because they allow no new process.
    return run_solve_trial(compiled.program, trial, memory, test_options,
                           {.sandbox = options_.sandbox, .program_started = [this, &trial] {
                              return trial.spec->timed ? confine() : Result<void>();
                            }});
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
    if (profile_folder_) writable.push_back(profile_folder_->path());
    return sandbox::confine_self(std::move(readable), std::move(writable));
  }

  // Trials of one kind: all fully checked, or the large one.
  Result<Finished> run_all(std::span<const Trial> trials, const TrialEnded& goes_on = {}) const {
    auto prepare = [this] { return problem_.kind == Kind::Kernel ? confine() : Result<void>(); };
    return run_in_child(
        trials, prepare, [this](const Trial& t, const TrialMemory& m) { return run_one(t, m); },
        [](const TrialResult& r) { return !is_fatal(r); },
        patience_ * (kMoreSeconds + seconds_of_case() * double(trials.size())), goes_on);
  }

  Result<void> run_trials() {
    std::error_code error;
    const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
    if (options_.sandbox && !options_.trusted) code_folder_ = TRY(toolchain::TemporaryFolder::create(temporary));
    if (options_.modelled) profile_folder_ = TRY(toolchain::TemporaryFolder::create(temporary));
    std::stable_partition(trials_.begin(), trials_.end(), [](const Trial& trial) { return !trial.spec->timed; });
    for (size_t first = 0; first < trials_.size() && judgement_.accepted();) {
      size_t last = first + 1;
      if (trials_[first].spec->timed && options_.likely_refused)
        TRY(compile(toolchain::BuildPurpose::Run, gpu_->major * 10 + gpu_->minor, optimised_));
      while (last < trials_.size() && !trials_[first].spec->timed && !trials_[last].spec->timed) ++last;
      // The large case is timed without checkers, so it first runs once with the checkers that are quick enough.
      const bool timed = trials_[first].spec->timed;
      if (timed && !options_.only_timed) TRY(check_bounds(first));
      checks_ = timed ? Checks::None : Checks::All;
      if (judgement_.accepted()) TRY(run_trials(first, last));
      first = last;
    }
    return {};
  }

  // A case that is too large for all checkers: accesses out of bounds and uninitialised reads alone. Running out
  // of time or memory is not a refusal here: the timed run judges the case, and what could not be checked is reported.
  Result<void> check_bounds(size_t index) {
    checks_ = Checks::Bounds;
    const Trial& trial = trials_[index];
    const Finished finished = TRY(run_all(std::span(trials_).subspan(index, 1)));
    const TrialResult& result = finished.results[0];
    const bool ended_early = !result.ran && !result.bad_entry && result.failure == device::Failure::None;
    if (ended_early && !finished.broken.empty()) return Error{"L0009", finished.broken};
    if (ended_early || result.failure == device::Failure::LaunchTimeout) {
      unchecked_ = fmt::format("case `{}` for bounds and uninitialised reads: that takes too long", trial.spec->name);
      return {};
    }
    Assessment assessment = TRY(assess(trial, *reference_, result, finished.arrays[0], /*budgets=*/false));
    if (assessment.verdict == Verdict::Accepted) return {};
    judgement_.cases.push_back(assessment.report);
    judgement_.printed = result.printed;
    judgement_.verdict = assessment.verdict;
    judgement_.refusal = std::move(assessment.refusal);
    return {};
  }

  // False for a trial that the child did not finish.
  static bool has_ended(const TrialResult& result) {
    return result.ran || result.bad_entry || result.failure != device::Failure::None;
  }

  // Each trial is assessed as soon as it has ended, because the first refused one decides: the others need not run.
  Result<void> run_trials(size_t first, size_t last) {
    std::vector<std::optional<Assessment>> assessments(last - first);  // of the trials that have ended
    Result<void> assessed;
    const Finished finished =
        TRY(run_all(std::span(trials_).subspan(first, last - first),
                    [&](size_t i, const TrialResult& result, const TrialMemory& memory) {
                      if (!has_ended(result)) return true;
                      auto assessment = assess(trials_[first + i], *reference_, result, memory, !options_.samples_only);
                      if (!assessment) {
                        assessed = assessment.error();
                        return false;
                      }
                      assessments[i] = std::move(assessment).value();
                      return assessments[i]->verdict == Verdict::Accepted;
                    }));
    TRY(std::move(assessed));
    for (size_t i = first; i < last; ++i) {
      const TrialResult& result = finished.results[i - first];
      if (!assessments[i - first]) return ended_early(finished, trials_[i]);
      Assessment& assessment = *assessments[i - first];
      judgement_.cases.push_back(assessment.report);
      judgement_.not_watched = result.not_watched;
      if (!unchecked_.empty()) judgement_.not_watched.push_back(unchecked_);
      judgement_.printed = result.printed;
      if (assessment.verdict == Verdict::Accepted) {
        if (!result.profile.empty()) model(trials_[i], result.profile);
        continue;
      }
      judgement_.verdict = assessment.verdict;
      judgement_.refusal = std::move(assessment.refusal);
      // A loop that never ends needs no smaller case, and each that is tried takes its whole time.
      if (options_.shrink && judgement_.verdict != Verdict::TooSlow) TRY(shrink(i));
      return {};
    }
    return {};
  }

  void model(const Trial& trial, const std::string& records) {
    judgement_.performance = performance_of(records, *gpu_);
    if (!judgement_.performance) return;
    judgement_.performance->case_name = trial.spec->name;
    judgement_.performance->shape = trial.describe();
  }

  // The child did not finish this trial.
  Result<void> ended_early(const Finished& finished, const Trial& trial) {
    if (!finished.broken.empty()) return Error{"L0009", finished.broken};
    refuse(finished.timed_out ? Verdict::TooSlow : Verdict::Crashed,
           finished.out_of_memory ? "the judge ended it: it took more memory than any kernel of this problem needs"
           : finished.timed_out   ? "the judge ended it: its time limit was reached"
                                  : fmt::format("the process that ran it was ended by signal {}", finished.signal));
    judgement_.refusal->case_name = trial.spec->name;
    judgement_.refusal->shape = trial.describe();
    return {};
  }

  Result<void> shrink(size_t refused) {
    const Trial& trial = trials_[refused];
    auto smaller = TRY(lab::shrink(trial, *reference_, judgement_.verdict,
                                   [this](const std::vector<Trial>& trials) { return run_all(trials); }));
    if (!smaller) return {};
    smaller->shrunk = true;
    judgement_.refusal = std::move(smaller);
    judgement_.printed = judgement_.refusal->printed;
    return {};
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
  Checks checks_ = Checks::All;  // of the run that is next
  std::string unchecked_;        // what was not checked of the large case; "": nothing
  // The cache of untrusted children: entries that their kernels may have changed serve only this judgement.
  std::optional<toolchain::TemporaryFolder> code_folder_;
  std::optional<toolchain::TemporaryFolder> profile_folder_;  // the counts of the timed case, where they are needed
  Judgement judgement_;
};

}  // namespace

Result<Judgement> judge(const Problem& problem, const std::filesystem::path& source, const JudgeOptions& options) {
  return Judge(problem, source, options).run();
}

}  // namespace warpwise::lab
