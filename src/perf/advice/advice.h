// Advice: what to change, why, and what it would gain.
//
// A rule looks at one launch (or, a program rule, at all that the program did) and is silent unless its evidence is
// there. The gain is the model's: the counts are changed to what they would be, and the time is predicted again.
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

struct Advice {
  const AdviceInfo* info = nullptr;
  std::string evidence;      // what was counted: "32.0 sectors a request where 4 would do"
  std::string remedy;        // what to do, in a sentence
  double saved_seconds = 0;  // by the model, if all of it is mended
  double gain = 0;           // how many times faster the kernel would be
  std::optional<SourceFrame> place;
};

// What launch rules see.
struct Situation {
  const LaunchCounts& launch;
  const Prediction& prediction;
  const device::Properties& device;
};

// What program rules see.
struct ProgramSituation {
  const Profile& profile;
  const device::Properties& device;
  double kernel_seconds = 0, copy_seconds = 0;
};

}  // namespace warpwise::perf
