// Advice: what to change in a program, why, and what the change would gain. These are the types; rules.inc lists the
// rules, each of which is a function in a file of its own, and rules.h runs them.
//
// A rule examines one launch; a program rule examines everything that the program did. A rule gives advice only if the
// counts show its reason. The gain comes from the model: the counts are changed to what they would be after the change,
// and the time is predicted again. Times are modelled, in seconds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perf/timing/predict.h"

namespace warpwise::perf {

struct AdviceInfo {
  std::string_view key;    // "uncoalesced-loads": also the page docs/advice/KEY.md
  std::string_view title;  // "Loads of global memory are not coalesced"
};

// A launch as it would be after the change: its counts, and what the model says of it then.
struct ChangedLaunch {
  Counts before, totals;
  Prediction prediction;
};

struct Advice {
  const AdviceInfo* info = nullptr;
  std::string evidence;                 // what was counted: "a load of a warp touches 32.0 sectors of 32 bytes; …"
  std::string remedy;                   // what to do, in a sentence
  double saved_seconds = 0;             // by the model, if the change removes all of the cost
  double gain = 0;                      // the kernel, or the program, would be so many times faster: 1.5
  std::optional<SourceFrame> place;     // the source line that causes most of it
  std::optional<ChangedLaunch> then{};  // of rules whose change is one of the counts
};

// The input of a launch rule.
struct Situation {
  const LaunchCounts& launch;
  const Prediction& prediction;
  const device::Properties& device;
};

// The input of a program rule.
struct ProgramSituation {
  const Profile& profile;
  const device::Properties& device;
  double kernel_seconds = 0, copy_seconds = 0;
};

}  // namespace warpwise::perf
