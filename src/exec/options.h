// How the virtual GPU is to behave: plain data, filled by the command line, by tests, or from the
// environment variable WARPWISE_OPTIONS (one JSON object), through which `warpwise run` reaches the
// program that it starts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/result.h"

namespace warpwise::exec {

enum class EngineKind : uint8_t { Jit, Interpreter };
enum class ModeChoice : uint8_t { Automatic, Simt, Independent };

// In which order blocks (and, in split mode, threads) get to run.
struct Schedule {
  bool shuffle = false;  // "shuffle:SEED"; otherwise in order
  uint64_t seed = 0;
};

struct Options {
  std::string device = "h100";  // an id of device/devices.inc
  EngineKind engine = EngineKind::Jit;
  ModeChoice mode = ModeChoice::Automatic;
  bool fast = false;             // blocks of order-sensitive kernels may run in parallel
  bool approximate_mma = false;  // matrix products of small floats are not rounded as the device's tensor cores do
  bool quick_compile = false;    // compile fast instead of run fast
  unsigned threads = 0;          // host threads that run blocks; 0: as many as the host has
  double timeout_seconds = 0;    // of one launch; 0: no watchdog
  Schedule schedule;
  uint64_t heap_bytes = 8u << 20;  // of device-side malloc (CUDA's default: 8 MiB)
  std::vector<std::string> off;    // passes of the compiler to leave out (simt/pass_names.h)
  std::vector<std::string> dump;   // passes to dump after, on stderr; "all"
  bool time_passes = false;
  int devices = 1;  // how many the CUDA runtime tells of; it reads this by itself, too (cuda/runtime/device/devices.h)
  int verbosity = 0;           // of the CUDA runtime, which reads it by itself (cuda/runtime/process.h)
  CheckerSet check;            // "check": ["memory", "race"]; none: kernels run unwatched
  std::string profile;         // the file that counts are appended to (perf/counters/records.h); "": nothing is counted
  bool profile_exact = false;  // large launches are counted in full
  std::string findings;        // the file that findings are appended to (check/records.h); "": none
  std::string cpu;             // compile for this processor (LLVM's name, "x86-64-v3"); "": the host's own
  std::string compiler_plugin;  // path of libwarpwise-simt.so; "": beside libwarpwise
};

// Reads {"device": "a100", "timeout": 10, "schedule": "shuffle:7", ...}; the keys are listed in
// options.cpp. Unknown keys and wrong values are errors that name them (U0005).
Result<Options> parse_options(std::string_view json);
// The options of this process: WARPWISE_OPTIONS, or the defaults when it is not set.
Result<Options> options_from_environment();

constexpr const char* kOptionsVariable = "WARPWISE_OPTIONS";

}  // namespace warpwise::exec
