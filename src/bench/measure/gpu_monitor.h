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
constexpr const char* kNvmlVariable = "WARPWISE_NVML";

// The state of the GPU at one moment. A figure that the GPU or an old library does not report is 0.
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
// The most serious of the reasons, in words: "the power limit". "": none of them lowers the clock of a busy GPU.
std::string held_back_by(uint64_t reasons);

class GpuMonitor {
 public:
  virtual ~GpuMonitor() = default;
  virtual Sample sample() const = 0;
  virtual std::string driver_version() const = 0;

  // `pci`: the GPU's place, "0000:3b:00.0". U0008 when the library is not there or does not know the GPU.
  static Result<std::unique_ptr<GpuMonitor>> open(const std::string& pci);
};

// Everything seen during a measurement, and whether it spoils it.
class Watch {
 public:
  // `monitor` may be null: then nothing is seen.
  explicit Watch(const GpuMonitor* monitor) : monitor_(monitor) {}

  // Call it before the measurement starts. B0006: the GPU is more than 5 % busy in each of four samples, 250 ms apart.
  Result<void> look_before();
  // Call it once our workers have started. Every process that computes there now counts as ours, and later ones do not.
  void know_processes();
  // Call it between rounds. B0006: another process uses the GPU. B0007: heat, the board's protection or the system's
  // power brake lowers the clock; the power limit alone does not count.
  Result<void> look_between();

  // Sentences for the report: "core clock between rounds: 1755 to 1980 MHz", "the power limit held the clock back after
  // 3 of 10 rounds".
  std::vector<std::string> notes() const;

 private:
  const GpuMonitor* monitor_;
  std::set<unsigned> known_;
  std::vector<Sample> samples_;  // of look_between()
};

}  // namespace warpwise::bench
