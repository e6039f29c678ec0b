#include "lab/judge/trial_children.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>

#include "base/usable_processors.h"
#include "lab/judge/assess.h"
#include "lab/sandbox/confine_self.h"
#include "lab/sandbox/job.h"
#include "lab/trial/kernel_trial.h"
#include "lab/trial/solve_trial.h"
#include "toolchain/cache.h"
#include "toolchain/installation.h"

namespace warpwise::lab {
namespace {

// The time that a judgement may take beyond its launches: compiling kernels, preparation.
constexpr double kMoreSeconds = 30;

// The large case under its checkers, to its time without any.
constexpr double kCheckedSlowdown = 4;

// The most for a case that is not timed, in seconds. All solutions need less than a tenth of it, under all checkers. A
// loop that never ends is then reported within four seconds, also where the problem allows more for its large case.
constexpr double kSmallCaseSeconds = 2;

// The large case beside the small ones may take longer.
constexpr double kPatienceBesideOthers = 2;

}  // namespace

Result<void> TrialChildren::begin(std::span<const Trial> trials) {
  trials_ = trials;
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  if (file_.options.sandbox && !file_.options.trusted)
    code_folder_ = TRY(toolchain::TemporaryFolder::create(temporary));
  if (file_.options.modelled) profile_folder_ = TRY(toolchain::TemporaryFolder::create(temporary));
  return {};
}

double TrialChildren::seconds_of_case(Checks checks) const {
  if (checks == Checks::All) return std::min(file_.problem.seconds, kSmallCaseSeconds);
  return file_.problem.seconds * (checks == Checks::Bounds ? kCheckedSlowdown : 1);
}

Result<TrialResult> TrialChildren::run_one(const Trial& trial, const TrialMemory& memory, Checks checks,
                                           double patience, std::optional<uint8_t> unwritten) const {
  const Compiled& compiled = checks == Checks::All ? programs_.checked() : programs_.timed();
  TestDeviceOptions test_options{.device = file_.options.device,
                                 .seconds = seconds_of_case(checks),
                                 .patience = patience,
                                 .checks = checks,
                                 .unwritten = unwritten,
                                 .profile = {}};
  if (profile_folder_ && checks != Checks::All && !unwritten) test_options.profile = profile_folder_->path() / "counts";
  if (file_.problem.kind == Kind::Kernel) return run_kernel_trial(compiled.ptx, trial, memory, test_options);
  // The program starts before the walls are built, because they allow no new process.
  return run_solve_trial(compiled.program, trial, memory, test_options,
                         {.sandbox = file_.options.sandbox,
                          .program_started = [this, &trial] { return trial.spec->timed ? confine() : Result<void>(); },
                          .series = checks == Checks::All && file_.options.sandbox ? &series_ : nullptr});
}

// In a child: from here on the process can do only what running kernels needs.
Result<void> TrialChildren::confine() const {
  if (!file_.options.sandbox) return {};
  if (code_folder_) setenv("WARPWISE_CACHE_DIR", code_folder_->path().c_str(), 1);
  std::vector<std::string> readable = sandbox::system_folders(),
                           writable = {toolchain::Cache::from_environment().root().string()};
  readable.push_back(toolchain::Installation::find().libraries);
  readable.push_back(std::filesystem::absolute(file_.source)
                         .string());  // where the checker of barriers looks for conditions (insert_sync_events.h)
  readable.insert(readable.end(), file_.headers.begin(), file_.headers.end());
  if (profile_folder_) writable.push_back(profile_folder_->path());
  if (!record_folder_.empty()) writable.push_back(record_folder_);
  return sandbox::confine_self(std::move(readable), std::move(writable));
}

ChildJob TrialChildren::job_of(std::span<const Trial> trials, Checks checks, bool beside_others,
                               std::optional<uint8_t> unwritten) const {
  const double patience = beside_others ? kPatienceBesideOthers * file_.patience : file_.patience;
  return {.trials = trials,
          .prepare = [this] { return file_.problem.kind == Kind::Kernel ? confine() : Result<void>(); },
          .run = [=, this](const Trial& t, const TrialMemory& m) { return run_one(t, m, checks, patience, unwritten); },
          .go_on = [](const TrialResult& r) { return !is_fatal(r); },
          .seconds = patience * (kMoreSeconds + seconds_of_case(checks) * double(trials.size()))};
}

Result<void> TrialChildren::start_large_case() {
  if (file_.options.only_timed || file_.options.likely_refused || usable_processors() < 2) return {};
  const size_t index = trials_.size() - 1;
  if (index == 0 || !trials_[index].spec->timed || trials_[index - 1].spec->timed) return {};
  large_.emplace(
      TRY(JudgingChild::start(job_of(trials_.subspan(index, 1), Checks::Bounds, /*beside_others=*/true), {})));
  return {};
}

Result<Finished> TrialChildren::run(std::span<const Trial> trials, Checks checks, const TrialEnded& goes_on) {
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
  if (file_.options.meanwhile && !std::exchange(has_done_meanwhile_, true)) file_.options.meanwhile();
  return child.finish(goes_on, idle);
}

Result<JudgingChild> TrialChildren::start_child(ChildJob job) {
  std::vector<JudgingChild*> earlier;
  for (auto* child : {&large_, &next_small_})
    if (*child) earlier.push_back(&**child);
  return JudgingChild::start(std::move(job), earlier);
}

// The small cases of a kernel often have blocks of several shapes, and code is compiled for each, which takes longer
// than all else that happens to them. So those of the next shape are begun beside those of this one, by another
// child. (The program of a `solve` problem has a shape of its own choice, mostly one.)
bool TrialChildren::begins_next() const {
  return file_.problem.kind == Kind::Kernel && !file_.options.likely_refused && usable_processors() > 1;
}

size_t TrialChildren::end_of_shape(size_t first, size_t last) const {
  if (!begins_next() || trials_[first].spec->timed) return last;
  auto is_known = [&](size_t i) {
    return std::any_of(trials_.begin(), trials_.begin() + ptrdiff_t(i),
                       [&](const Trial& before) { return before.shape.launch.block == trials_[i].shape.launch.block; });
  };
  size_t end = first + 1;
  while (end < last && is_known(end)) ++end;
  return end;
}

Result<JudgingChild> TrialChildren::take_next(std::span<const Trial> trials, Checks checks) {
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
  next_trials_ = trials_.subspan(next, end_of_shape(next, last) - next);
  std::vector<JudgingChild*> earlier{&*begun};
  if (large_) earlier.push_back(&*large_);
  next_small_.emplace(TRY(JudgingChild::start(job_of(next_trials_, checks), earlier)));
  return std::move(*begun);
}

Result<Finished> TrialChildren::run_with(const Trial& trial, Checks checks, uint8_t content) {
  JudgingChild child = TRY(start_child(job_of(std::span(&trial, 1), checks, false, content)));
  return child.finish();
}

Result<TrialResult> TrialChildren::run_observed(const Trial& trial, TestDeviceOptions options,
                                                const std::filesystem::path& folder) {
  record_folder_ = folder;
  options.device = file_.options.device, options.checks = Checks::None;
  options.seconds = seconds_of_case(Checks::All), options.patience = file_.patience;
  ChildJob job = job_of(std::span(&trial, 1), Checks::All);
  job.run = [&](const Trial& t, const TrialMemory& m) {
    if (file_.problem.kind == Kind::Kernel) return run_kernel_trial(programs_.checked().ptx, t, m, options);
    return run_solve_trial(programs_.checked().program, t, m, options,
                           {.sandbox = file_.options.sandbox, .program_started = {}});
  };
  JudgingChild child = TRY(start_child(std::move(job)));
  const Finished finished = TRY(child.finish());
  if (!finished.broken.empty()) return Error{"L0009", finished.broken};
  return finished.results.empty() ? TrialResult{} : finished.results[0];
}

}  // namespace warpwise::lab
