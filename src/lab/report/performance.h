// How fast an accepted submission would be on a GPU: the counts of its timed case through the timing model
// (docs/model.md).
//
//     timed case ──perf::make_profiler──► records ──perf::analyse──► time, what limits it, share of the roofline,
//     advice
//
// The same for the problem's own solutions (ladder.h) and for earlier attempts (progress.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/properties.h"

namespace warpwise::lab {

// A solution of the problem's own and its modelled time of the timed case.
struct LadderStep {
  std::string file, about;  // "1-naive", "one thread per element"
  double seconds = 0;
};

// What to change next: perf's advice, with the gain for all of the submission.
struct NextStep {
  std::string key, title, evidence, remedy;  // key: docs/advice/KEY.md
  std::string file;                          // "": no place
  unsigned line = 0;
  double gain = 1;  // times faster, by the model
};

struct EarlierTry {
  int64_t id = 0;
  double seconds = 0;
};

struct Performance {
  std::string device;            // as people call it: "NVIDIA H100 …"
  std::string device_id;         // as --device calls it
  std::string case_name, shape;  // the timed case
  double seconds = 0, low = 0,
         high = 0;  // of all kernels and copies between host and device; two of three measurements between low and high
  double copy_seconds = 0;  // of these, copies
  uint64_t launches = 0;
  std::string limiter;  // of the kernel that takes longest: "memory (DRAM)"
  // The time that the traffic and the arithmetic of the kernels would take at the device's peaks, of `seconds`; and
  // which of the two it is.
  std::optional<double> of_roofline;
  std::string roof;  // "memory", "arithmetic", "tensor cores"
  std::optional<NextStep> advice;
  std::vector<LadderStep> ladder;  // empty: not known
  std::optional<EarlierTry> best_before;
};

// The place that this time would have among the steps and itself, from 1; times that the model cannot distinguish share
// a place.
size_t place_in(const std::vector<LadderStep>& ladder, double seconds);

// From what the profiler has written. Nothing when no kernel ran, or none that the device could run.
std::optional<Performance> performance_of(std::string_view records, const device::Properties& gpu);

}  // namespace warpwise::lab
