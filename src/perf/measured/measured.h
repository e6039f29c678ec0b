// What a real GPU needed for the launches that were counted here, beside what the model says of them.
//
//     counted      axpy #0   axpy #1   sum #0            program on the virtual GPU
//     measured     axpy #0   axpy #1   sum #0            the same program on a real one
//
// A program does the same on both, so the n-th launch of a kernel with a grid and a block here is the n-th such launch
// there. Where a program launches what depends on how fast it is, some launches find no counterpart, and a sentence
// says how many.
//
// The model's time of a launch includes the pause before it. Events on a GPU do not, so the pause is left out of what
// is compared.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/properties.h"
#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

// One counter of the GPU and ours, summed over the launches of which the GPU told.
struct CounterPair {
  Counter counter = Counter::Instructions;
  double gpu = 0, here = 0;
};

struct KernelMeasurement {
  uint64_t launches = 0;                   // that were measured
  double seconds = 0;                      // of these
  double median = 0, least = 0, most = 0;  // of one
  double modelled = 0, low = 0, high = 0;  // of the same launches, without the pauses before them
  uint64_t counted_launches = 0;           // of which the GPU's counters told
  std::vector<CounterPair> counters;       // those that either has seen
  std::vector<std::string> difference;     // what explains it, in sentences; none where the two agree

  bool in_range() const { return low <= seconds && seconds <= high; }
};

// "the model says 10.9 us: 13 % too short, and the time is within its range"
std::string verdict_text(const KernelMeasurement& measurement);
// "12.1 to 12.9 us" of several launches, or nothing.
std::string spread_text(const KernelMeasurement& measurement);

// Finds for each launch that was counted the same launch of the real GPU.
class Counterparts {
 public:
  explicit Counterparts(const Profile& profile);

  const MeasuredLaunch* measured(const LaunchCounts& launch) const { return find(measured_, launch); }
  const HardwareCounts* hardware(const LaunchCounts& launch) const { return find(hardware_, launch); }
  // "axpy ran 3 times on the GPU and 2 times here"
  const std::vector<std::string>& not_matched() const { return not_matched_; }

 private:
  template <class T>
  static const T* find(const std::map<uint64_t, const T*>& all, const LaunchCounts& launch) {
    auto found = all.find(launch.index);
    return found == all.end() ? nullptr : found->second;
  }

  std::map<uint64_t, const MeasuredLaunch*> measured_;  // by LaunchCounts::index
  std::map<uint64_t, const HardwareCounts*> hardware_;
  std::vector<std::string> not_matched_;
};

// Of launches of one kernel and shape; the difference is explained by `longest`, one of them. None: the GPU has told
// nothing of them, or they cannot run on `device`.
std::optional<KernelMeasurement> measurement_of(const std::vector<const LaunchCounts*>& launches,
                                                const LaunchCounts& longest, const device::Properties& device,
                                                const Counterparts& counterparts);

}  // namespace warpwise::perf
