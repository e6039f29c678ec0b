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
#include "lab/judge/submission.h"
#include "lab/sandbox/confine_self.h"
#include "lab/sandbox/job.h"
#include "lab/trial/kernel_trial.h"
#include "lab/trial/solve_trial.h"
#include "toolchain/files.h"

namespace warpwise::lab {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Whatever happens, a judgement takes no longer than this beyond what its launches may take: compiling kernels, making
// ready.
constexpr double kMoreSeconds = 30;

// Limits are meant for a machine without other work. Where processes wait for processors, the clock runs on while
// nobody computes.
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
    judgement_.seconds = since(start);
    return std::move(judgement_);
  }

 private:
  bool forbidden(const std::string& text) {
    if (text.size() > kMostSourceBytes) {
      refuse(Verdict::Forbidden, fmt::format("the source has more than {} bytes", kMostSourceBytes));
      return true;
    }
    auto what = find_forbidden(problem_, text);
    if (!what) return false;
    refuse(Verdict::Forbidden, *what);
    return true;
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
    // The compilers are processes, LLVM is a library that takes a while to load, inputs are made here: side by side.
    // All threads have ended before the judge forks.
    bool timed = false, watched = false;
    for (const CaseSpec& spec : problem_.cases) (spec.timed ? timed : watched) |= wanted(spec);
    gpu_ = TRY(device::device_named(options_.device));
    const unsigned architecture = gpu_->major * 10 + gpu_->minor;
    const auto start = Clock::now();
    Result<void> for_checkers, optimised;
    std::thread compile_watched([&] {
      if (watched) for_checkers = compile(toolchain::BuildPurpose::Check, architecture, watched_);
    });
    std::thread compile_timed([&] {
      if (timed && !options_.likely_refused)
        optimised = compile(toolchain::BuildPurpose::Run, architecture, optimised_);
    });
    std::thread load([] { (void)exec::compiler_plugin("").open(); });
    auto made = make_trials();
    compile_watched.join();
    compile_timed.join();
    load.join();
    judgement_.compile_seconds = since(start);
    TRY(std::move(made));
    TRY(std::move(for_checkers));
    TRY(std::move(optimised));
    const Compiled& compiled = watched ? watched_ : optimised_;
    if (!compiled.compiled && !compiled.forbidden.empty()) {
      refuse(Verdict::Forbidden,
             fmt::format("{}: a submission is one file and reads no other but headers of CUDA and C++",
                         compiled.forbidden));
      return {};
    }
    if (!compiled.compiled) {
      refuse(Verdict::DoesNotCompile, compiled.messages);
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
    std::string ptx;       // kernel
    SolveProgram program;  // solve
  };
  Result<void> compile(toolchain::BuildPurpose purpose, unsigned architecture, Compiled& out) const {
    if (problem_.kind == Kind::Kernel) {
      CompiledSubmission made = TRY(compile_device_half(source_, purpose, architecture, options_.sandbox));
      out = {made.compiled, std::move(made.messages), std::move(made.forbidden), std::move(made.ptx), {}};
      return {};
    }
    out.program = TRY(build_solve_program(problem_, source_, purpose, architecture, options_.sandbox));
    out.compiled = out.program.compiled;
    out.messages = out.program.messages;
    out.forbidden = out.program.forbidden;
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

  Result<TrialResult> run_one(const Trial& trial, const TrialMemory& memory) const {
    const Compiled& compiled = trial.spec->timed ? optimised_ : watched_;
    BenchOptions bench{.device = options_.device,
                       .seconds = problem_.seconds,
                       .patience = patience_,
                       .watched = !trial.spec->timed,
                       .profile = {}};
    if (profile_folder_ && trial.spec->timed) bench.profile = profile_folder_->path() / "counts";
    if (problem_.kind == Kind::Kernel) return run_kernel_trial(compiled.ptx, trial, memory, bench);
    // The program starts before the walls stand: they let no process through.
    return run_solve_trial(compiled.program, trial, memory, bench,
                           {.sandbox = options_.sandbox, .program_started = [this, &trial] {
                              return trial.spec->timed ? confine() : Result<void>();
                            }});
  }

  // In a child: nothing is left of the machine but what running kernels takes.
  Result<void> confine() const {
    if (!options_.sandbox) return {};
    if (code_folder_) setenv("WARPWISE_CACHE_DIR", code_folder_->path().c_str(), 1);
    std::vector<std::string> readable = sandbox::system_folders(),
                             writable = {toolchain::Cache::from_environment().root().string()};
    readable.push_back(toolchain::Installation::find().libraries);
    readable.push_back(std::filesystem::absolute(source_)
                           .string());  // where the checker of barriers looks for conditions (insert_sync_events.h)
    if (profile_folder_) writable.push_back(profile_folder_->path());
    return sandbox::confine_self(std::move(readable), std::move(writable));
  }

  // Trials of one kind: all watched, or a timed one.
  Result<Finished> run_all(std::span<const Trial> trials) const {
    auto prepare = [this] { return problem_.kind == Kind::Kernel ? confine() : Result<void>(); };
    return run_in_child(
        trials, prepare, [this](const Trial& t, const TrialMemory& m) { return run_one(t, m); },
        [](const TrialResult& r) { return !is_fatal(r); },
        patience_ * (kMoreSeconds + problem_.seconds * double(trials.size())));
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
      TRY(run_trials(first, last));
      first = last;
    }
    return {};
  }

  Result<void> run_trials(size_t first, size_t last) {
    const Finished finished = TRY(run_all(std::span(trials_).subspan(first, last - first)));
    for (size_t i = first; i < last; ++i) {
      const TrialResult& result = finished.results[i - first];
      if (!result.ran && !result.bad_entry && result.failure == device::Failure::None)
        return ended_early(finished, trials_[i]);
      Assessment assessment = TRY(assess(trials_[i], *reference_, result, finished.arrays[i - first]));
      judgement_.cases.push_back(assessment.report);
      judgement_.not_watched = result.not_watched;
      judgement_.printed = result.printed;
      if (assessment.verdict == Verdict::Accepted) {
        if (!result.profile.empty()) model(trials_[i], result.profile);
        continue;
      }
      judgement_.verdict = assessment.verdict;
      judgement_.refusal = std::move(assessment.refusal);
      if (options_.shrink) TRY(shrink(i));
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

  // The child did not come to the end of this trial.
  Result<void> ended_early(const Finished& finished, const Trial& trial) {
    if (!finished.broken.empty()) return Error{"L0009", finished.broken};
    refuse(finished.timed_out ? Verdict::TooSlow : Verdict::Crashed,
           finished.out_of_memory ? "the judge ended it: it took more memory than any kernel of this problem needs"
           : finished.timed_out   ? "the judge ended it: its time was over"
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
    return {};
  }

  const Problem& problem_;
  const std::filesystem::path source_;
  const JudgeOptions options_;
  std::optional<Reference> reference_;
  std::vector<Trial> trials_;
  const device::Properties* gpu_ = nullptr;
  const double patience_ = patience_now();
  Compiled watched_, optimised_;
  std::optional<toolchain::TemporaryFolder> code_folder_;  // the cache of a stranger's children: what his kernels may
                                                           // have touched is kept for this judgement alone
  std::optional<toolchain::TemporaryFolder> profile_folder_;  // the timed case's counts, where they are wanted
  Judgement judgement_;
};

}  // namespace

Result<Judgement> judge(const Problem& problem, const std::filesystem::path& source, const JudgeOptions& options) {
  return Judge(problem, source, options).run();
}

}  // namespace warpwise::lab
