// Which device is to be opened, and how a virtual GPU is to behave: plain data, read once, by Device::open.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise {

enum class Engine : std::uint8_t {
  Compiled,     // kernels become vector code of this processor
  Interpreter,  // the plain reference: slow, and the judge of the other
};

// How compiled code runs threads. Results of a correct kernel are the same in all.
enum class Mode : std::uint8_t {
  Automatic,    // chosen per kernel
  Simt,         // a warp at a time, as vectors, from barrier to barrier
  Warps,        // warps on their own, as vectors: for warps that wait for each other elsewhere
  Independent,  // every thread on its own: for threads that wait for each other within a warp
};

// What to report. Both functions are called on whichever thread waits for the kernel, one call at a time per device;
// they may not call the device.
struct Observers {
  // What kernels print, in block order, in pieces that need not be whole lines. Empty: it goes to stdout.
  std::function<void(std::string_view text)> print{};
  // The code after the compiler's passes that Options::dump names, and their times. Empty: it goes to stderr.
  std::function<void(std::string_view pass, std::string_view text)> dump{};
};

struct Options {
  // Where kernels run: "virtual"; "gpu" or "gpu:1", a real GPU of this machine through NVIDIA's driver. Then the fields
  // below have no effect, but for heap_bytes, and Observers::print must be empty: what kernels print goes to stdout.
  std::string on = "virtual";
  std::string device = "h100";  // which GPU to model: an id of known_devices()
  Engine engine = Engine::Compiled;
  Mode mode = Mode::Automatic;
  std::optional<std::uint64_t> shuffle{};  // a seed: blocks run in an order of its own; none: in order
  double timeout_seconds = 0;              // of one launch, which then fails; 0: none
  unsigned threads = 0;                    // of this process that run blocks; 0: as many as it has processors
  bool fast = false;                       // blocks with order-sensitive atomics may run in parallel: results may vary
  bool approximate_mma = false;  // matrix products of small floats as fused multiply-adds: faster, last bits differ
  std::uint64_t heap_bytes = 8u << 20;  // for malloc() in kernels
  bool cache = true;                    // keep compiled kernels on disk (WARPWISE_CACHE_DIR, WARPWISE_CACHE_SIZE)
  std::vector<std::string> dump{};      // "after:PASS" or "after:all"; such kernels are compiled anew. U0005 for others
  std::vector<std::string> off{};       // passes of the compiler to leave out
  bool recording = false;               // launches can be recorded (trace.h); those that are not run as usual
  bool time_passes = false;             // report to Observers::dump, as the pass "time"
  Observers observers{};
};

}  // namespace warpwise
