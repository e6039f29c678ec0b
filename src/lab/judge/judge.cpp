#include "lab/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>
#include <thread>
#include <utility>

#include "base/sanitized.h"
#include "device/device_file.h"
#include "device/properties.h"
#include "lab/judge/admission.h"
#include "lab/judge/assess.h"
#include "lab/judge/notes.h"
#include "lab/judge/programs.h"
#include "lab/judge/record_case.h"
#include "lab/judge/shrink.h"
#include "lab/judge/submission.h"
#include "lab/judge/trial_children.h"
#include "lab/trial/unwritten_contents.h"
#include "toolchain/files.h"
#include "toolchain/messages.h"

namespace warpwise::lab {
namespace {

using Checks = TestDeviceOptions::Checks;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

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
      : file_{.problem = problem, .source = source, .options = options, .headers = {}, .patience = patience_now()} {
    judgement_.problem = problem.slug;
    judgement_.seed = options.seed;
  }

  Result<Judgement> run() {
    const auto start = Clock::now();
    const std::string text = TRY(read_submission(file_.source));
    Admission admission = admit(file_.problem, file_.source, text, file_.options.own_headers);
    judgement_.sources = std::move(admission.sources);
    file_.headers = std::move(admission.headers);
    if (admission.refused)
      refuse(std::move(*admission.refused));
    else
      TRY(try_it());
    add_notes(file_.problem, text, judgement_);
    judgement_.seconds = since(start);
    if (!file_.options.recording.file.empty()) TRY(record());
    return std::move(judgement_);
  }

 private:
  void refuse(Refused refused) {
    judgement_.verdict = refused.verdict;
    judgement_.refusal = std::move(refused.refusal);
  }

  bool wanted(const CaseSpec& spec) const {
    if (file_.options.samples_only) return spec.sample;
    if (file_.options.only_timed) return spec.timed;
    return true;
  }

  Result<void> try_it() {
    bool timed = false, checked = false;
    for (const CaseSpec& spec : file_.problem.cases) (spec.timed ? timed : checked) |= wanted(spec);
    file_.gpu = TRY(device::device_named(file_.options.device));
    const auto start = Clock::now();
    // All threads have ended before the judge forks. Inputs are made meanwhile.
    TRY(programs_.compile(checked, timed && !file_.options.likely_refused, [this] { return make_trials(); }));
    judgement_.compile_seconds = since(start);
    const Compiled& compiled = checked ? programs_.checked() : programs_.timed();
    if (!compiled.compiled) {
      refuse_uncompiled(compiled);
      return {};
    }
    judgement_.compiler_messages = compiled.messages;
    warn_of_variables(compiled.messages);
    return run_trials();
  }

  void refuse_uncompiled(const Compiled& compiled) {
    if (!compiled.forbidden.empty()) return refuse(refusal_of_file(compiled.forbidden, file_.options.own_headers));
    Refused refused{.verdict = compiled.program.missing_entry ? Verdict::WrongSignature : Verdict::DoesNotCompile,
                    .refusal = {}};
    refused.refusal.message = compiled.messages;
    refused.refusal.next = compiled.next;
    refuse(std::move(refused));
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

  Result<void> make_trials() {
    reference_ = TRY(Reference::open(file_.problem));
    for (const CaseSpec& spec : file_.problem.cases) {
      if (!wanted(spec)) continue;
      const uint64_t seed = seed_of_case(file_.options.seed, spec);
      trials_.push_back(TRY(make_trial(file_.problem, *reference_, spec, draw_sizes(spec, seed), seed)));
    }
    return {};
  }

  Result<void> run_trials() {
    std::stable_partition(trials_.begin(), trials_.end(), [](const Trial& trial) { return !trial.spec->timed; });
    TRY(children_.begin(trials_));
    TRY(children_.start_large_case());
    for (size_t first = 0; first < trials_.size() && goes_on();) {
      size_t last = first + 1;
      if (trials_[first].spec->timed && file_.options.likely_refused) TRY(programs_.compile_timed());
      while (last < trials_.size() && !trials_[first].spec->timed && !trials_[last].spec->timed) ++last;
      const bool timed = trials_[first].spec->timed;
      const bool judged = timed && !file_.options.only_timed && TRY(judge_large(first));
      if (!judged) TRY(run_trials(first, last, timed ? Checks::None : Checks::All));
      first = last;
    }
    return {};
  }

  // With all_cases, the judge stops only where the other cases would tell nothing new, or take the whole time limit
  // each.
  bool goes_on() const { return judgement_.accepted() || (file_.options.all_cases && !ended_); }

  // A case that is too large for all checkers: accesses out of bounds and uninitialised reads alone, counted for the
  // model. Code that ends within the problem's time under these would do so without. False: a run without checkers must
  // judge the case. What could not be checked, because it takes too much time or memory, is no refusal: it is reported.
  Result<bool> judge_large(size_t index) {
    const Trial& trial = trials_[index];
    const Finished finished = TRY(children_.run(std::span(trials_).subspan(index, 1), Checks::Bounds));
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
    if (assessment.verdict == Verdict::Accepted && result.seconds > file_.problem.seconds) {
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
    Assessment again =
        TRY(assess(trial, *reference_, others, memory, checks == Checks::All && !file_.options.samples_only));
    if (again.verdict != Verdict::Accepted && again.verdict != Verdict::OverBudget) return none;
    for (const uint8_t content : kUnwrittenContents) {
      const Finished finished = TRY(children_.run_with(trial, checks, content));
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
    if (file_.options.case_ended && told_.insert(report.name).second) file_.options.case_ended(report);
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
    while (first < last && goes_on()) first += TRY(run_some(first, children_.end_of_shape(first, last), checks));
    children_.end_next();
    return {};
  }

  // Each trial is assessed as soon as it has ended, because the first refused one decides: the others need not run.
  // Returns the number of trials that are judged then.
  Result<size_t> run_some(size_t first, size_t last, Checks checks) {
    std::vector<std::optional<Assessment>> assessments(last - first);  // of the trials that have ended
    Result<void> assessed;
    const Finished finished =
        TRY(children_.run(std::span(trials_).subspan(first, last - first), checks,
                          [&](size_t i, const TrialResult& result, const TrialMemory& memory) {
                            if (!has_ended(result)) return true;
                            auto assessment =
                                assess(trials_[first + i], *reference_, result, memory, !file_.options.samples_only);
                            if (!assessment) {
                              assessed = assessment.error();
                              return false;
                            }
                            assessments[i] = std::move(assessment).value();
                            if (assessments[i]->verdict == Verdict::Accepted) tell(assessments[i]->report);
                            return assessments[i]->verdict == Verdict::Accepted || file_.options.all_cases;
                          }));
    TRY(std::move(assessed));
    for (size_t i = first; i < last; ++i) {
      const TrialResult& result = finished.results[i - first];
      if (!assessments[i - first]) {
        // The trial before this one has ended the child.
        if (file_.options.all_cases && i > first && !judgement_.accepted()) return i - first;
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
        if (file_.options.shrink && judgement_.verdict != Verdict::TooSlow) TRY(shrink(i, checks));
      } else if (judgement_.accepted() && !result.profile.empty()) {
        model(trials_[i], result.profile);
      }
      if (!goes_on()) return i - first + 1;
    }
    return last - first;
  }

  void model(const Trial& trial, const std::string& records) {
    judgement_.performance = performance_of(records, *file_.gpu);
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
    children_.end_large_case();
    const Trial& trial = trials_[refused];
    auto smaller = TRY(lab::shrink(trial, *reference_, judgement_.verdict,
                                   [&](const std::vector<Trial>& trials) { return children_.run(trials, checks); }));
    if (!smaller) return {};
    smaller->refusal.shrunk = true;
    judgement_.refusal = std::move(smaller->refusal), shrunk_sizes_ = std::move(smaller->sizes);
    judgement_.printed = judgement_.refusal->printed;
    return {};
  }

  // The case that the verdict is about once more, under a recorder in place of checkers, and under a profiler. The
  // children write into a folder of its own; what it left there is read as what it is, untrusted.
  Result<void> record() {
    if (judgement_.cases.empty())
      return Error{"L0010",
                   fmt::format("there is no case to record: the verdict is `{}`", words_of(judgement_.verdict))};
    const Trial trial = TRY(
        trial_to_record(file_.problem, *reference_, trials_, judgement_, shrunk_sizes_, file_.options.recording.like));
    const bool like = file_.options.recording.like.has_value();
    const RecordedCase recorded = like ? *file_.options.recording.like : what_to_record(trial, judgement_);
    std::error_code error;
    const auto folder = TRY(toolchain::TemporaryFolder::create(std::filesystem::temp_directory_path(error)));
    const std::filesystem::path steps = folder.path() / "steps";
    TestDeviceOptions recorder{.profile = {}, .record = request_of(recorded, trial, steps), .order = recorded.order};
    TRY(children_.run_observed(trial, std::move(recorder), folder.path()));
    const TestDeviceOptions profiler{
        .profile = folder.path() / "counts", .whole_profile = true, .order = recorded.order};
    const TrialResult counted = TRY(children_.run_observed(trial, profiler, folder.path()));
    trace::Completion completion;
    completion.command = file_.options.recording.command, completion.tool = file_.options.recording.tool;
    completion.device = file_.gpu->id;
    add_counts(completion, counted.profile, recorded.kernel, *file_.gpu);
    return complete_recording(trial, judgement_, recorded, like, std::move(completion), steps,
                              file_.options.recording.file);
  }

  JudgedFile file_;
  Programs programs_{file_};
  std::optional<Reference> reference_;
  std::vector<Trial> trials_;
  TrialChildren children_{file_, programs_};
  std::string unchecked_;                // what was not checked of the large case; "": nothing
  int slow_cases_ = 0;                   // that ran into the time limit
  bool ended_ = false;                   // with all_cases: the cases behind a refused one are not tried
  std::optional<Numbers> shrunk_sizes_;  // of the smallest case that was found
  std::set<std::string> told_;           // the cases of case_ended
  Judgement judgement_;
};

}  // namespace

Result<Judgement> judge(const Problem& problem, const std::filesystem::path& source, const JudgeOptions& options) {
  return Judge(problem, source, options).run();
}

}  // namespace warpwise::lab
