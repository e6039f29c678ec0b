// All rules, and helpers that they share.
#pragma once

#include <span>

#include "perf/advice/advice.h"

namespace warpwise::perf {

// The advice of all rules, that which saves most time first.
std::vector<Advice> advise(const Situation& situation);
std::vector<Advice> advise_program(const ProgramSituation& situation);

std::span<const AdviceInfo> all_advice();

namespace rules {

#define RULE(function, key, title) std::optional<Advice> function(const Situation& s);
#define PROGRAM_RULE(function, key, title) std::optional<Advice> function(const ProgramSituation& s);
#include "perf/advice/rules.inc"
#undef RULE
#undef PROGRAM_RULE

// What becomes of the launch if its counts are as `change` makes them: change(Counts&) is applied to the totals and to
// each line.
struct Outcome {
  double seconds = 0;
  std::optional<ChangedLaunch> launch;
};
template <class Change>
Outcome outcome_if(const Situation& s, Change change) {
  LaunchCounts other = s.launch;
  change(other.totals);
  for (LineCounts& line : other.lines) change(line.counts);
  std::optional<Prediction> p = predict(other, s.device);
  if (!p) return {s.prediction.seconds, std::nullopt};
  return {p->seconds, ChangedLaunch{s.launch.totals, other.totals, *p}};
}

// An advice that saves a smaller share of the time is not given.
inline constexpr double kWorthwhile = 0.03;

// A program waits for its device a few times in any case, and a smaller share of its time is not worth advice.
inline constexpr unsigned kMostHarmlessWaits = 8;
inline constexpr double kFeltShare = 0.1;

// The advice, if it saves enough.
std::optional<Advice> worth(const Situation& s, double seconds_then, std::string evidence, std::string remedy,
                            std::optional<SourceFrame> place = std::nullopt);
std::optional<Advice> worth(const Situation& s, const Outcome& outcome, std::string evidence, std::string remedy,
                            std::optional<SourceFrame> place = std::nullopt);

// The line with the largest `weight`; null: no line has any.
template <class Weight>
const LineCounts* heaviest_line(const LaunchCounts& launch, Weight weight) {
  const LineCounts* best = nullptr;
  double most = 0;
  for (const LineCounts& line : launch.lines)
    if (double w = weight(line.counts); w > most && !line.frames.empty()) most = w, best = &line;
  return best;
}
std::optional<SourceFrame> place_of(const LineCounts* line);

}  // namespace rules
}  // namespace warpwise::perf
