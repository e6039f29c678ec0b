// Recordings: what the warps of one block of a launch do, step by step.
//
//     auto device = warpwise::Device::open({.recording = true});
//     ...
//     auto trace = kernel->record({.grid = {8}, .block = {256}}, {.block = {3, 0, 0}}, *data, 1024);
//     for (const warpwise::TraceStep& step : *trace->steps(0, 0, 100))
//       std::printf("%s:%u %s\n", step.file.c_str(), step.line, step.instruction.c_str());
//     trace->save("launch.wwt");                                // for `warpwise view`
//
// A step is one execution of a PTX instruction by a warp. Steps of a warp are in the order of its program; between two
// barriers nothing orders the steps of different warps. Neither of the two clocks is a schedule of hardware:
// docs/trace_format.md says what they are.
//
// Any thread may use a Trace, one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "warpwise/device.h"
#include "warpwise/result.h"

namespace warpwise {

// Behind the handle.
struct TraceState;

struct RecordOptions {
  Dim3 block{0, 0, 0};                       // of the grid: which one
  std::uint64_t first_step = 0;              // of each warp
  std::uint64_t steps = 65'536;              // at most, all warps together
  std::vector<std::uint32_t> value_lines{};  // source lines whose values are recorded
};

enum class TraceSpace : std::uint8_t { Global, Shared, Local, Const };

// The addresses of the lanes of `mask` in one memory; of shared and local memory, offsets there.
struct TraceAccess {
  TraceSpace space = TraceSpace::Global;
  std::uint32_t mask = 0;
  std::array<std::uint64_t, 32> addresses{};
};

// The bits of a value of the lanes of `mask`.
struct TraceValues {
  std::uint32_t mask = 0;
  std::array<std::uint64_t, 32> bits{};
};

struct TraceStep {
  std::uint64_t number = 0;   // in its warp
  std::uint64_t phase = 0;    // barriers that the warp has passed
  std::uint64_t clock = 0;    // modelled, with the waits at barriers
  std::uint32_t active = 0;   // lanes that are there
  std::uint32_t on = 0;       // of them, those that the instruction's guard lets through
  std::string instruction{};  // PTX
  std::string kind{};         // "load", "branch", "barrier": docs/trace_format.md
  std::string file{};         // of the source; "" when not known
  std::uint32_t line = 0;
  std::vector<TraceAccess> accesses{};
  std::vector<TraceValues> values{};
  // What the accesses cost, and what they would cost if the lanes' data lay side by side.
  std::uint64_t sectors = 0, ideal_sectors = 0, wavefronts = 0, ideal_wavefronts = 0;
};

struct TraceWarp {
  std::uint32_t threads = 0;
  std::uint64_t steps = 0;             // that it has made
  std::uint64_t first = 0, count = 0;  // of them, those that are recorded
};

struct TraceInfo {
  std::string kernel{};
  Dim3 grid{}, block_shape{}, block{0, 0, 0};
  std::vector<TraceWarp> warps{};
  std::vector<std::string> notes{};  // what is not recorded
};

class Trace {
 public:
  // A file of save() or `warpwise trace`. V0001 to V0005 when it is none; `warpwise explain` has them.
  static Result<Trace> open(const std::string& path);

  const TraceInfo& info() const;
  // The recorded steps of a warp among [first, first + count).
  Result<std::vector<TraceStep>> steps(std::uint32_t warp, std::uint64_t first, std::uint64_t count) const;
  // Copies the file. U0002 when it cannot be written.
  Result<void> save(const std::string& path) const;

 private:
  friend class Kernel;
  explicit Trace(std::shared_ptr<TraceState> state) : state_(std::move(state)) {}
  std::shared_ptr<TraceState> state_;
};

template <class... Arguments>
Result<Trace> Kernel::record(const LaunchShape& shape, const RecordOptions& options,
                             const Arguments&... arguments) const {
  const Argument list[] = {argument_of(arguments)..., Argument{}};
  return record_with(shape, options, std::span<const Argument>(list, sizeof...(arguments)));
}

}  // namespace warpwise
