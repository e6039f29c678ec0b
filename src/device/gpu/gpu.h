// The real GPU behind device.h: PTX goes to the driver of the machine, which compiles and runs it.
//
//     auto ordinal = TRY(gpu::read_place("gpu:1"));             // what --on= takes
//     std::unique_ptr<Device> device = TRY(gpu::open({.ordinal = *ordinal}));
//
// What differs from the virtual GPU, within what device.h allows: work begins when it is submitted, not when the host
// waits; a failure names the driver's code and no thread or line; nothing is checked, counted or modelled. A function
// that has commands of its own to run (HostFunction::runs_commands) runs inside submit(), after the stream's work.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "device/gpu/describe.h"

namespace warpwise::device::gpu {

// A launch and how long the GPU worked on it.
struct TimedLaunch {
  std::string kernel;  // as PTX calls it
  Dim3 grid, block;
  uint32_t dynamic_shared_bytes = 0;
  double seconds = 0;
};
// Learns of each launch what the GPU itself needed for it: without the host's share, and with an L2 cache that had none
// of its data (launch_times.h). Calls come one at a time, in the order of the launches.
class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;
  virtual void launched(const TimedLaunch& launch) = 0;
  // The program has ended by itself.
  virtual void ended() = 0;
};

struct Setup {
  unsigned ordinal = 0;
  std::filesystem::path driver{};              // "": the machine's (driver.h)
  std::optional<size_t> heap_bytes{};          // of malloc() in kernels; none: the driver's own
  std::shared_ptr<LaunchObserver> launches{};  // null: launches are not timed
};

// Errors: R0601, R0602.
Result<std::unique_ptr<Device>> open(const Setup& setup);

// Stream 0 of a device that open() has made is this stream of the driver from here on; null: the legacy default stream.
void use_as_default_stream(Device& gpu, void* stream);

// What a GPU is, or all of them, without taking it. Errors: R0601, R0602.
Result<std::unique_ptr<const Description>> find(unsigned ordinal);
Result<std::vector<std::unique_ptr<const Description>>> find_all();

// Where a program is to run: "" and "virtual" are the virtual GPU (nothing), "gpu" is GPU 0, "gpu:N" another. U0005 for
// anything else.
Result<std::optional<unsigned>> read_place(std::string_view words);

}  // namespace warpwise::device::gpu
