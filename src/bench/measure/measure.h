// Runs versions of a computation, each in a process of its own, and tells their times.
//
//     on a GPU    rounds in turns, a → b → c → b → c → a …, until the interval of every median is narrow enough
//     modelled    one run on the virtual GPU whose kernels are counted; the model makes a time of the counts
//
// In both cases outputs are compared with the reference's before a time counts.
#pragma once

#include <functional>
#include <optional>

#include "bench/measure/measurement.h"
#include "bench/worker/worker_program.h"

namespace warpwise::bench {

struct MeasureOptions {
  std::optional<unsigned> gpu;  // its number; none: modelled
  std::string pci;              // its place, for NVML
  std::string engine;           // WARPWISE_OPTIONS of the workers
  toolchain::CompilerChoice compiler = toolchain::CompilerChoice::Automatic;
  unsigned most_rounds = 30;
  double wanted_spread = 0.01;  // half of the interval's width, by the median
  double seconds = 3;           // of measuring, for each version and shape
  bool warm = false;
  bool timed = true;  // modelled: false leaves the answers, and no times
  uint64_t seed = 0;  // of the inputs; 0: of the clock
  std::function<void(const std::string& what)> progress = [](const std::string&) {};
};

// Errors: those of ours alone. What is wrong with a version stands in its cells.
Result<Measurement> measure(const Ladder& ladder, const std::vector<Version>& versions,
                            const std::vector<const Shape*>& shapes, const device::Properties& device,
                            const MeasureOptions& options);

// The modelled time of one call of solve; the model's range as the interval. B0005 when it fails.
Result<Estimate> modelled_time(const toolchain::Program& program, const std::vector<bench_worker::Argument>& arguments,
                               const device::Properties& device, const std::string& engine);

}  // namespace warpwise::bench
