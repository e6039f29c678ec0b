// What a report says, before it is laid out: each kernel with its counts, its modelled time and advice.
//
//     Profile ──group launches, predict, advise──► Analysis ──► text, JSON, CSV, HTML
//
// A program often launches one kernel a thousand times with one shape. Those launches are one entry: its counts and its
// times are sums, its prediction and its advice are those of the longest launch.
#pragma once

#include <memory>

#include "perf/advice/advice.h"
#include "perf/measured/measured.h"
#include "perf/timing/predict.h"

namespace warpwise::perf {

// A modelled time, and the range in which two of three measurements should lie. Seconds.
struct TimeRange {
  double seconds = 0, low = 0, high = 0;

  TimeRange& operator+=(const TimeRange& other) {
    seconds += other.seconds, low += other.low, high += other.high;
    return *this;
  }
};

struct KernelReport {
  LaunchCounts launch;  // of all launches: totals and lines are sums; the rest is the longest one's
  uint64_t launches = 0;
  bool predicted = false;                     // false: such a block cannot run on the device
  Prediction prediction;                      // of the longest launch alone
  double seconds = 0, low = 0, high = 0;      // of all launches
  std::vector<Advice> advice;                 // most gain first
  std::optional<KernelMeasurement> measured;  // by a real GPU

  TimeRange time() const { return {seconds, low, high}; }
  double flops() const;  // floating-point operations of all launches
  double dram_bytes() const;
};

struct Analysis {
  const Profile* profile = nullptr;
  const device::Properties* device = nullptr;
  std::vector<KernelReport> kernels;     // most time first
  std::vector<Advice> advice;            // on the program: launches, copies
  double seconds = 0;                    // of all kernels
  double copy_seconds = 0;               // modelled time of copies between host and device
  std::vector<std::string> not_matched;  // launches of a real GPU that have no counterpart here, in sentences

  TimeRange time() const;  // of all kernels
};

Analysis analyse(const Profile& profile, const device::Properties& device);

// How the blocks of the grid run, in words: all at once, or in waves.
std::string waves_text(const KernelReport& kernel, const device::Properties& device);

// Floating-point operations of counts: an fma is two.
double flops_of(const Counts& counts);

}  // namespace warpwise::perf
