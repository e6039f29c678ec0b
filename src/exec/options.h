// How the virtual GPU is to behave: plain data, filled by the command line, by tests, or from the environment variable
// WARPWISE_OPTIONS (one JSON object), through which `warpwise run` reaches the program that it starts. options.inc
// lists the options and says what each does.
//
// The CUDA runtime reads two of them by itself: `devices` (cuda/runtime/device/devices.h) and `verbosity`
// (cuda/runtime/process.h).
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
enum class ModeChoice : uint8_t { Automatic, Simt, Warps, Independent };

// Where a kernel that has to be compiled begins (tiers/tiered_engine.h).
enum class TierChoice : uint8_t { Automatic, Compiled, Takeover };

// The one tier of compiled code (simt::Tier).
enum class OnlyTier : uint8_t { Any, Quick, Balanced };

// The order in which blocks run, and in independent-thread mode threads.
struct Schedule {
  bool shuffle = false;  // "shuffle:SEED"; otherwise in order
  uint64_t seed = 0;
};

struct Options {
#define OPTION(key, field, type, initial, values, place, placeholder, help) type field = initial;
#include "exec/options.inc"
#undef OPTION
};

// Reads {"device": "a100", "timeout": 10, "schedule": "shuffle:7", ...}; options.inc lists the keys. Unknown keys and
// wrong values are errors that name them (U0005).
Result<Options> parse_options(std::string_view json);
// The options of this process: WARPWISE_OPTIONS, or the defaults when it is not set.
Result<Options> options_from_environment();

constexpr const char* kOptionsVariable = "WARPWISE_OPTIONS";

}  // namespace warpwise::exec
