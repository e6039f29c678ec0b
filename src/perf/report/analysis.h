// What a report says, before it is laid out: each kernel with its counts, its modelled time and advice.
//
//     Profile ──group launches, predict, advise──► Analysis ──► text, JSON, CSV, HTML
//
// A program often launches one kernel a thousand times with one shape: those are one entry, whose counts are sums, and
// whose prediction is that of the launch that takes longest, scaled to all of them.
#pragma once

#include <memory>

#include "perf/advice/advice.h"
#include "perf/timing/predict.h"

namespace warpwise::perf {

struct KernelReport {
  LaunchCounts launch;  // of all launches: totals and lines are sums; the rest is the longest one's
  uint64_t launches = 0;
  bool predicted = false;                 // false: such a block cannot run on the device
  Prediction prediction;                  // of the longest launch alone
  double seconds = 0, low = 0, high = 0;  // of all launches
  std::vector<Advice> advice;             // most gain first

  double flops() const;  // floating-point operations of all launches
  double dram_bytes() const;
};

struct Analysis {
  const Profile* profile = nullptr;
  const device::Properties* device = nullptr;
  std::vector<KernelReport> kernels;  // most time first
  std::vector<Advice> advice;         // on the program: launches, copies
  double seconds = 0;                 // of all kernels
  double copy_seconds = 0;            // modelled time of copies between host and device
};

Analysis analyse(const Profile& profile, const device::Properties& device);

// How the grid's blocks come to the SMs, in words: all at once, or wave after wave.
std::string waves_text(const KernelReport& kernel, const device::Properties& device);

// Floating-point operations of counts: an fma is two.
double flops_of(const Counts& counts);

}  // namespace warpwise::perf
