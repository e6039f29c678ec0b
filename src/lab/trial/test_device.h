// The test device: a device with checkers and counters, and the arrays of one trial on it. It works in the judging
// child; what comes out is plain data and the arrays as they are afterwards. kernel_trial.h and solve_trial.h run the
// submission's kernels on it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "device/device.h"
#include "lab/judge/access_counter.h"
#include "lab/trial/trial.h"
#include "trace/recorder.h"

namespace warpwise::exec {
class VirtualDevice;
}

namespace warpwise::lab {

// Where the child leaves the arrays of a trial: memory that it shares with the judge.
struct TrialMemory {
  std::vector<std::span<std::byte>> after;  // by array
  std::vector<std::span<Writer>> writers;   // by array; empty for inputs, and in the timed case
  // By array: not 0 where an input is as it was, which is the rule. Then `after` has not been written: large arrays
  // would be copied and compared again for nothing.
  std::span<uint8_t> unchanged;

  // What the array holds afterwards.
  std::span<const std::byte> contents(const Trial& trial, size_t array) const {
    if (!unchanged[array]) return after[array];
    return {trial.arrays[array].before.data(), trial.arrays[array].bytes()};
  }
};

// What a trial came to, besides the arrays.
struct TrialResult {
  bool ran = false;  // false: the child ended before it came to this trial
  device::Failure failure = device::Failure::None;
  std::string detail;             // of the failure
  std::string next;               // what to do about it, where the verdict's own advice does not fit; "": it does
  std::string code;               // of the diagnostic that `detail` belongs to: "R0301"; "": none
  std::optional<SourcePlace> at;  // of host code that failed
  bool bad_entry = false;         // there is no such kernel, or its parameters are others; detail says which
  std::string forbidden;          // what it did that no submission may; "": nothing
  std::string note;               // what may explain a wrong answer: an error that the submission did not check
  std::vector<Finding> findings;
  std::vector<std::string> not_checked;
  std::string printed;  // by kernels and by host code; the beginning
  Measured measured;
  std::vector<WriteSite> sites;  // of Writer::site
  std::optional<DoubleStore> double_store;
  std::string profile;  // what the profiler recorded, without the test device's own copies
  double seconds = 0;
};

struct TestDeviceOptions {
  std::string device = "h100";
  double seconds = 2;   // of one launch, on a machine without other work
  double patience = 1;  // by the clock, so many times longer
  enum class Checks : uint8_t {
    None,    // as fast as it can be
    Bounds,  // accesses out of bounds and uninitialised reads
    All,     // races and barriers as well, and counters
  } checks = Checks::All;
  std::optional<uint8_t> unwritten;  // what memory holds that nothing has written, in each byte (unwritten_contents.h)
  // With Checks::None or Bounds: count what hardware would count, in this file; "": do not.
  std::filesystem::path profile;
  bool whole_profile = false;  // for a person who reads it: as `warpwise profile` counts; false: what gives a time
  std::optional<trace::RecordRequest> record{};  // with Checks::None: what to record (trace/recorder.h)
  std::optional<uint64_t> order{};               // the seed of a shuffled schedule; none: what the case says
};

class TestDevice {
 public:
  // Opens the device and puts the arrays there. L0009 when it cannot.
  static Result<std::unique_ptr<TestDevice>> open(const Trial& trial, const TrialMemory& memory,
                                                  const TestDeviceOptions& options);
  ~TestDevice();

  exec::VirtualDevice& gpu() { return *gpu_; }
  AccessCounter* counter() { return counter_; }  // null unless checks are Checks::All
  // The value of each parameter, in order: addresses of arrays, numbers as the bytes of their type (the rest is zero).
  const std::vector<uint64_t>& arguments() const { return arguments_; }
  device::Address base_of(size_t array) const { return bases_[array]; }
  TrialResult& result() { return result_; }
  void print(std::string_view text);
  // The work has ended so: takes everything from the device.
  TrialResult finish(device::Status status);

 private:
  TestDevice(const Trial& trial, const TrialMemory& memory, const TestDeviceOptions& options);
  Result<void> make_device();
  Result<void> place_arrays();
  void name_array(Finding& finding) const;
  std::string without_addresses(std::string text) const;

  const Trial& trial_;
  const TrialMemory& memory_;
  const TestDeviceOptions options_;
  TrialResult result_;
  std::shared_ptr<CollectingSink> sink_;
  AccessCounter* counter_ = nullptr;     // the device's
  trace::Recorder* recorder_ = nullptr;  // likewise
  std::unique_ptr<exec::VirtualDevice> gpu_;
  std::vector<device::Address> bases_;  // by array
  std::vector<uint64_t> arguments_;
  size_t profiled_before_ = 0;  // bytes of the profile when the submission begins
};

// A failure of the test device itself, as an error.
Result<void> device_ok(const device::Status& status);

std::string to_json(const TrialResult& result);
Result<TrialResult> trial_result_from_json(std::string_view json);

}  // namespace warpwise::lab
