// What NVIDIA's management library (NVML) says of a GPU while it is measured: clocks, what holds them back, and who
// else works there. libnvidia-ml.so.1 comes with the driver and is opened at run time; a machine without it is measured
// all the same, and the report says so.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpwise::bench {

// The environment variable that names the library in an unusual place, and for tests.
constexpr const char* kManagementVariable = "WARPWISE_NVML";

// What the GPU was like at one moment. Figures that it does not tell are 0.
struct Sample {
  unsigned core_mhz = 0, memory_mhz = 0;
  unsigned busy_percent = 0;  // of the last fraction of a second
  unsigned celsius = 0;
  double watts = 0;
  uint64_t held_back = 0;        // why the clock is not higher: bits of nvmlClocksThrottleReasons
  std::set<unsigned> processes;  // that compute there
};

// Bits of Sample::held_back (nvml.h, nvmlClocksThrottleReasons).
enum HeldBack : uint64_t {
  kPowerLimit = 0x4,
  kHardwareSlowdown = 0x8,
  kTooHot = 0x20,
  kHardwareTooHot = 0x40,
  kPowerBrake = 0x80,
};
// "the power limit"; "": nothing that lowers the clock of a busy GPU.
std::string held_back_by(uint64_t reasons);

class Management {
 public:
  virtual ~Management() = default;
  virtual Sample sample() const = 0;
  virtual std::string driver_version() const = 0;

  // `pci`: the GPU's place, "0000:3b:00.0". U0008 when the library is not there or does not know the GPU.
  static Result<std::unique_ptr<Management>> open(const std::string& pci);
};

// Everything seen during a measurement, and whether it spoils it.
class Watch {
 public:
  // `management` may be null: then nothing is seen.
  explicit Watch(const Management* management) : management_(management) {}

  // Before anything of ours runs: B0006 if the GPU is busy with something else.
  Result<void> look_before();
  // Who computes there once our workers have started: those that come later are not ours.
  void know_processes();
  // Between rounds. B0006: another process has come. B0007: heat or the board's protection holds the clock back.
  Result<void> look_between();

  // Sentences for the report: "the clock was between 1755 and 1980 MHz", "the power limit held the clock back".
  std::vector<std::string> notes() const;

 private:
  const Management* management_;
  std::set<unsigned> known_;
  std::vector<Sample> samples_;  // of look_between()
};

}  // namespace warpwise::bench
