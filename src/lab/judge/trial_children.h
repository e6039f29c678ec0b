// Which child runs which trials of a submission, behind which walls, and which children run beside one another.
//
//     small cases of one block shape ──► child ─┐
//     those of the next shape        ──► child ─┤ begun beside it
//     the large case                 ──► child ─┘ begun beside both
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "lab/judge/judging_child.h"
#include "lab/judge/programs.h"
#include "lab/sandbox/series.h"
#include "toolchain/files.h"

namespace warpwise::lab {

class TrialChildren {
 public:
  using Checks = TestDeviceOptions::Checks;

  TrialChildren(const JudgedFile& file, const Programs& programs) : file_(file), programs_(programs) {}
  // `trials`: all of the problem's that are run, the timed one last; they stay where they are. Comes first.
  Result<void> begin(std::span<const Trial> trials);

  // The large case needs nothing of the small ones but their verdict, so it begins at once, beside them. A file that
  // will be refused loses little: its children end with the verdict.
  Result<void> start_large_case();
  void end_large_case() { large_.reset(); }
  void end_next() { next_small_.reset(); }

  // The first trial from `first` on, up to `last`, whose blocks have a shape that none before it has: up to there one
  // child runs them.
  size_t end_of_shape(size_t first, size_t last) const;
  // Trials of one kind: all fully checked, or the large one.
  Result<Finished> run(std::span<const Trial> trials, Checks checks, const TrialEnded& goes_on = {});
  // One trial again, where memory that nothing has written holds `content`.
  Result<Finished> run_with(const Trial& trial, Checks checks, uint8_t content);
  // One trial without checkers, under what `options` say: a recorder, a profiler. It may write into `folder`.
  Result<TrialResult> run_observed(const Trial& trial, TestDeviceOptions options, const std::filesystem::path& folder);

 private:
  double seconds_of_case(Checks checks) const;
  Result<TrialResult> run_one(const Trial& trial, const TrialMemory& memory, Checks checks, double patience,
                              std::optional<uint8_t> unwritten) const;
  Result<void> confine() const;
  ChildJob job_of(std::span<const Trial> trials, Checks checks, bool beside_others = false,
                  std::optional<uint8_t> unwritten = {}) const;
  Result<JudgingChild> start_child(ChildJob job);
  bool begins_next() const;
  Result<JudgingChild> take_next(std::span<const Trial> trials, Checks checks);

  const JudgedFile& file_;
  const Programs& programs_;
  std::span<const Trial> trials_;
  // The cache of untrusted children: entries that their kernels may have changed serve only this judgement.
  std::optional<toolchain::TemporaryFolder> code_folder_;
  std::optional<toolchain::TemporaryFolder> profile_folder_;  // the counts of the timed case, where they are needed
  std::filesystem::path record_folder_;                       // of run_observed
  std::optional<JudgingChild> large_;                         // begun beside the small cases
  std::optional<JudgingChild> next_small_;                    // begun beside others of them,
  std::span<const Trial> next_trials_;                        // with these trials
  bool has_done_meanwhile_ = false;
  mutable sandbox::Series series_;  // of the child that runs the small cases, each child its own
};

}  // namespace warpwise::lab
