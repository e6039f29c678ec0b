#include "bench/measure/gpu_monitor.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace warpwise::bench {
namespace {

constexpr const char* kLibrary = "libnvidia-ml.so.1";
constexpr unsigned kCoreClock = 1, kMemoryClock = 2;  // nvmlClockType_t: NVML_CLOCK_SM, NVML_CLOCK_MEM

struct ProcessInfo {  // nvmlProcessInfo_t
  unsigned process;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};
struct Utilisation {  // nvmlUtilization_t
  unsigned gpu, memory;
};

class Nvml final : public GpuMonitor {
 public:
  Result<void> open_library(const std::string& pci) {
    const char* named = std::getenv(kNvmlVariable);
    const char* path = named && *named ? named : kLibrary;
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return Error{"U0008", fmt::format("NVIDIA's management library cannot be opened: {}", dlerror())};
    const char* missing = nullptr;
#define FUNCTION(member, symbol, need, parameters)                         \
  member##_ = reinterpret_cast<int(*) parameters>(dlsym(library, symbol)); \
  if (std::string_view(#need) == "Needed" && !member##_) missing = symbol;
#include "bench/measure/gpu_monitor_api.inc"
#undef FUNCTION
    if (missing) return Error{"U0008", fmt::format("`{}` has no {}", path, missing)};
    if (const int code = start_(); code != 0)
      return Error{"U0008", fmt::format("`{}` does not start: error {}", path, code)};
    if (const int code = find_(pci.c_str(), &device_); code != 0)
      return Error{"U0008", fmt::format("`{}` does not know the GPU at {}: error {}", path, pci, code)};
    return {};
  }

  Sample sample() const override {
    Sample out;
    if (clock_) clock_(device_, kCoreClock, &out.core_mhz), clock_(device_, kMemoryClock, &out.memory_mhz);
    unsigned long long bits = 0;
    if (reasons_ && reasons_(device_, &bits) == 0) out.held_back = bits;
    Utilisation rates{};
    if (busy_ && busy_(device_, &rates) == 0) out.busy_percent = rates.gpu;
    if (celsius_) celsius_(device_, 0, &out.celsius);
    unsigned milliwatts = 0;
    if (power_ && power_(device_, &milliwatts) == 0) out.watts = milliwatts / 1000.0;
    std::array<ProcessInfo, 256> list{};
    unsigned count = list.size();
    if (processes_ && processes_(device_, &count, list.data()) == 0)
      for (unsigned i = 0; i < std::min<size_t>(count, list.size()); ++i) out.processes.insert(list[i].process);
    return out;
  }

  std::string driver_version() const override {
    char text[96] = {};
    return driver_ && driver_(text, sizeof text - 1) == 0 ? text : "";
  }

 private:
#define FUNCTION(member, symbol, need, parameters) int(*member##_) parameters = nullptr;
#include "bench/measure/gpu_monitor_api.inc"
#undef FUNCTION
  void* device_ = nullptr;
};

}  // namespace

std::string held_back_by(uint64_t reasons) {
  if (reasons & (kTooHot | kHardwareTooHot)) return "heat";
  if (reasons & kPowerBrake) return "the power brake of the system";
  if (reasons & kHardwareSlowdown) return "the board's protection";
  if (reasons & kPowerLimit) return "the power limit";
  return "";
}

Result<std::unique_ptr<GpuMonitor>> GpuMonitor::open(const std::string& pci) {
  auto nvml = std::make_unique<Nvml>();
  TRY(nvml->open_library(pci));
  return std::unique_ptr<GpuMonitor>(std::move(nvml));
}

Result<void> Watch::look_before() {
  // NVML averages over the last 1/6 to 1 second, so a single sample may still show work that has ended.
  constexpr unsigned kSamples = 4, kBusyPercent = 5;
  constexpr auto kPause = std::chrono::milliseconds(250);
  if (!monitor_) return {};
  unsigned least = 100;
  Sample sample;
  for (unsigned i = 0; i < kSamples && least > kBusyPercent; ++i) {
    if (i) std::this_thread::sleep_for(kPause);
    sample = monitor_->sample();
    least = std::min(least, sample.busy_percent);
  }
  if (least <= kBusyPercent) return {};
  return Error{"B0006",
               fmt::format("the GPU is busy to {} % before anything of ours runs there{}", least,
                           sample.processes.empty() ? std::string()
                                                    : fmt::format(": process {}", fmt::join(sample.processes, ", ")))};
}

void Watch::know_processes() {
  if (monitor_) known_ = monitor_->sample().processes;
}

Result<void> Watch::look_between() {
  if (!monitor_) return {};
  samples_.push_back(monitor_->sample());
  const Sample& now = samples_.back();
  for (unsigned process : now.processes)
    if (!known_.contains(process))
      return Error{"B0006", fmt::format("process {} has begun to use the GPU between rounds", process)};
  if (const std::string cause = held_back_by(now.held_back & ~uint64_t{kPowerLimit}); !cause.empty())
    return Error{"B0007",
                 fmt::format("{} holds the GPU's clock back, at {} MHz and {} °C", cause, now.core_mhz, now.celsius)};
  return {};
}

std::vector<std::string> Watch::notes() const {
  if (!monitor_) return {"clocks and other processes were not watched: NVIDIA's management library cannot be used"};
  std::vector<std::string> out;
  unsigned low = ~0u, high = 0;
  size_t limited = 0;
  for (const Sample& s : samples_) {
    if (s.core_mhz != 0) low = std::min(low, s.core_mhz), high = std::max(high, s.core_mhz);
    limited += (s.held_back & kPowerLimit) != 0;
  }
  if (high) out.push_back(fmt::format("core clock between rounds: {} to {} MHz", low, high));
  if (limited)
    out.push_back(fmt::format("the power limit held the clock back after {} of {} rounds", limited, samples_.size()));
  return out;
}

}  // namespace warpwise::bench
