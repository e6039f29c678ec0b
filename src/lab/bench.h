// The bench: a device with checkers and counters on which one trial runs. It works in the judging child; what comes out is plain data
// and the arrays as they are afterwards.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "device/device.h"
#include "lab/access_counter.h"
#include "lab/trial.h"

namespace warpwise::lab {

// Where the child leaves the arrays of a trial: memory that it shares with the judge.
struct TrialMemory {
  std::vector<std::span<std::byte>> after;    // by array
  std::vector<std::span<Writer>> writers;     // by array; empty for inputs
};

// What a trial came to, besides the arrays.
struct TrialResult {
  bool ran = false;                   // false: the child ended before it came to this trial
  device::Failure failure = device::Failure::None;
  std::string detail;                 // of the failure
  bool bad_entry = false;             // there is no such kernel, or its parameters are others; detail says which
  std::vector<Finding> findings;
  std::vector<std::string> not_watched;
  std::string printed;                // by kernels; the beginning
  Measured measured;
  std::vector<CodePlace> sites;       // of Writer::site
  double seconds = 0;
};

struct BenchOptions {
  std::string device = "h100";
  double seconds = 2;       // of one launch
  bool watched = true;      // with checkers and counters
};

// Runs a trial of a kernel problem. Errors: L0009 when the bench itself fails (no memory, no compiler).
Result<TrialResult> run_kernel_trial(const std::string& ptx, const Trial& trial, const TrialMemory& memory, const BenchOptions& options);

std::string to_json(const TrialResult& result);
Result<TrialResult> trial_result_from_json(std::string_view json);

}  // namespace warpwise::lab
