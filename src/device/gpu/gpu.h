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
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "device/gpu/describe.h"

namespace warpwise::device::gpu {

struct Setup {
  unsigned ordinal = 0;
  std::filesystem::path driver{};      // "": the machine's (driver.h)
  std::optional<size_t> heap_bytes{};  // of malloc() in kernels; none: the driver's own
};

// Errors: R0601, R0602.
Result<std::unique_ptr<Device>> open(const Setup& setup);

// What the GPU itself needs for kernels, and for fills and copies in its memory: without the host's share, and with an
// L2 cache that has none of their data (command_times.h).
class Stopwatch {
 public:
  virtual ~Stopwatch() = default;
  // Forgets what was, and times all such commands from now on.
  virtual void start() = 0;
  // Waits for all work. The sum of the commands' times; commands that ran side by side count both.
  virtual Status stop(double* seconds) = 0;
};
// A device with its stopwatch, which it owns.
struct Measuring {
  std::unique_ptr<Device> device;
  Stopwatch* stopwatch = nullptr;
};
Result<Measuring> open_measuring(const Setup& setup);

// What a GPU is, or all of them, without taking it. Errors: R0601, R0602.
Result<std::unique_ptr<const Description>> find(unsigned ordinal);
Result<std::vector<std::unique_ptr<const Description>>> find_all();

// Where a program is to run: "" and "virtual" are the virtual GPU (nothing), "gpu" is GPU 0, "gpu:N" another. U0005 for
// anything else.
Result<std::optional<unsigned>> read_place(std::string_view words);

}  // namespace warpwise::device::gpu
